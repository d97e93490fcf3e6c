import { describe, expect, it } from 'vitest';
import type { SessionRecord, Step } from '../model/record.js';
import { sessionResult } from './result.js';

describe('result', () => {
  const step = (index: number, rest: Partial<Step>): Step => ({
    id: `sessions.${index}`,
    kind: 'session',
    label: '',
    status: 'pending',
    verification: 'unverified',
    effect: 'none',
    ...rest,
  });
  const record = (steps: readonly Step[]): SessionRecord => ({
    family: 'session_start',
    handle: 'ss_1',
    network: '',
    chainId: 1879,
    status: 'pending_import',
    verification: 'unverified',
    createdAt: '',
    updatedAt: '',
    expiresAt: '',
    digest: '',
    watched: false,
    effect: 'none',
    basis: [],
    createdBy: 'agent',
    reportUntil: '',
    request: {
      type: 'xdala_session_start',
      version: 'xgr-session-start@1',
      sessions: steps.map(() => ({
        orchestration: '0x',
        ostcId: 'flow',
        stepId: 'S',
        payload: { a: 1, __secret: 'x' },
        maxTotalGas: 0,
        __uid: 'u',
      })),
    },
    steps,
  });
  const started = { status: 'submitted', sessionId: '17', owner: '0xab' } as const;

  it('is completed, partial, failed or cancelled, by what has started', () => {
    const status = (...steps: Partial<Step>[]) =>
      sessionResult(record(steps.map((one, index) => step(index, one))), '2026-01-01T00:00:00Z');
    expect(status(started)).toMatchObject({
      status: 'completed',
      inputType: 'singleSession',
      results: [{ ok: true, sessionId: '17' }],
    });
    expect(status(started, { status: 'failed', error: 'no gas' }, {})).toMatchObject({
      status: 'partial',
      inputType: 'sessionQueue',
      results: [
        { ok: true },
        { ok: false, stage: 'start', error: 'no gas' },
        { ok: false, status: 'not_started' },
      ],
    });
    expect(status({ status: 'failed' })).toMatchObject({ status: 'failed' });
    expect(sessionResult(record([step(0, {})]), '', true)).toMatchObject({
      status: 'cancelled',
      results: [{ stage: 'cancelled' }],
    });
  });

  it('repeats no secret and no key of the screen', () => {
    const text = JSON.stringify(sessionResult(record([step(0, started)]), ''));
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('__uid');
  });
});

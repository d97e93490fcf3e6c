import { describe, expect, it } from 'vitest';
import type { ChainInfo } from '../model/chain-info.js';
import type { SessionRecord, Step } from '../model/record.js';
import { permitTypedData, wirePermit } from './permit.js';
import { sessionResult } from './result.js';

const chain = (permit: ChainInfo['permit']): ChainInfo => ({
  chainId: 1879,
  name: '',
  currency: { name: '', symbol: '', decimals: 18 },
  permit,
});
const FACTS = {
  from: `0x${'22'.repeat(20)}`,
  ostcId: 'flow',
  ostcHash: `0x${'00'.repeat(32)}`,
  sessionId: '17',
  maxTotalGas: 0,
  expiry: 1_800_000_000,
};
const CLIENT = chain({ ostcHashType: 'string', wire: 'client' });

describe('permit', () => {
  it('has the fields in the order that is hashed', () => {
    expect(
      permitTypedData(FACTS, CLIENT).types.SessionPermit.map(({ name, type }) => `${name}:${type}`),
    ).toEqual([
      'from:address',
      'ostcId:string',
      'ostcHash:string',
      'sessionId:uint256',
      'maxTotalGas:uint256',
      'expiry:uint256',
    ]);
  });

  it('travels in either form', () => {
    expect(Object.keys(wirePermit(FACTS, '0x', CLIENT))).toEqual([
      'OstcHash',
      'Expiry',
      'Signature',
      'Owner',
      'PrimaryType',
      'Domain',
      'Types',
      'Message',
    ]);
    expect(Object.keys(wirePermit(FACTS, '0x', chain({ ostcHashType: 'bytes32', wire: 'catalog' })))).toEqual(
      ['domain', 'types', 'primaryType', 'message', 'signature'],
    );
  });
});

describe('result', () => {
  const step = (index: number, rest: Partial<Step>): Step => ({
    id: `sessions.${index}`,
    kind: 'session',
    label: '',
    status: 'pending',
    verification: 'unverified',
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

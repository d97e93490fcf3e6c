import { describe, expect, it } from 'vitest';
import { canDecline, currentStep, isMoving, isOpen, isOver } from './progress.js';
import type { OperationRecord, SessionRecord, Step } from './record.js';

const step = (id: string, rest: Partial<Step> = {}): Step => ({
  id,
  kind: 'transaction',
  label: id,
  status: 'pending',
  verification: 'unverified',
  effect: 'none',
  ...rest,
});
const common = {
  network: 'n',
  chainId: 1,
  status: 'opened',
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
} as const;
const record = (steps: readonly Step[], rest: Partial<OperationRecord> = {}): OperationRecord => ({
  family: 'operation',
  id: 'op',
  type: 't',
  ...common,
  summary: {},
  steps,
  ...rest,
});
const queueOf = (steps: readonly Step[]): SessionRecord => ({
  family: 'session_start',
  handle: 'ss',
  ...common,
  request: { sessions: [] },
  steps,
});
const second = (first: Partial<Step>, rest: Partial<OperationRecord> = {}) => {
  const whole = record([step('a', first), step('b')], rest);
  return whole.steps[1] !== undefined && isOpen(whole, whole.steps[1]);
};

describe('progress', () => {
  it('opens a step when the one before has a receipt; without anybody who looks, when it was sent', () => {
    expect(second({})).toBe(false);
    expect(second({ status: 'submitted' }, { watched: true })).toBe(false);
    expect(second({ status: 'submitted', blockNumber: 3 }, { watched: true })).toBe(true);
    expect(second({ status: 'submitted' })).toBe(true);
    expect(second({ status: 'submitted', blockNumber: 3, effect: 'different' }, { watched: true })).toBe(
      false,
    );
    expect(second({ status: 'skipped' })).toBe(true);
  });

  it('a failed session does not hold up the next one: the server takes it, too', () => {
    const steps = [step('a', { status: 'failed' }), step('b')];
    expect(steps[1] && isOpen(queueOf(steps), steps[1])).toBe(true);
    expect(second({ status: 'failed' })).toBe(false);
  });

  it('is declined only while nothing was sent', () => {
    expect(canDecline(record([step('a', { status: 'requested' })]))).toBe(true);
    expect(canDecline(record([step('a', { status: 'submitted' })]))).toBe(false);
    expect(canDecline(record([step('a')], { status: 'cancelled' }))).toBe(false);
  });

  it('knows the end: a failed operation may be tried again', () => {
    expect(isOver(record([], { status: 'failed' }))).toBe(false);
    expect(isOver(record([], { status: 'completed' }))).toBe(true);
    expect(isOver(record([], { closed: true }))).toBe(true);
  });

  it('asks again only while something may change by itself', () => {
    expect(isMoving(record([step('a')], { watched: true }))).toBe(false);
    expect(isMoving(record([step('a', { status: 'requested' })]))).toBe(true);
    expect(isMoving(record([step('a', { status: 'submitted' })]))).toBe(false);
    expect(isMoving(record([step('a', { status: 'submitted' })], { watched: true }))).toBe(true);
    expect(currentStep(record([step('a', { status: 'confirmed' }), step('b')]))?.id).toBe('b');
  });
});

import type { AskState, OperationState } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { comparedOf } from './account-asks.js';
import { OpenAskIndex } from './open-asks.js';

const CHAIN = 1879;
const ACCOUNT = `0x${'ab'.repeat(20)}`;
const HASH = `0x${'cd'.repeat(32)}`;
const { comparedAsks, comparedAsksOfOne } = fixedLimits;

/** A record with so many asks of one account, the newest of which was answered with these values. */
function recordOf(id: string, creator: string, count: number, at: number, ...told: readonly string[]) {
  const asks = Array.from({ length: count }, (_, n) => ({
    id: `${id}/${n}`,
    steps: ['s0'],
    at: at + n,
    account: ACCOUNT,
    standing: n === count - 1 ? (told.length > 0 ? 'claimed' : 'open') : 'quiet',
  })) as unknown as readonly AskState[];
  const claims = told.map((value) => ({
    value,
    ask: asks.at(-1)?.id,
    at: at + count,
    source: 'page',
    standing: 'open',
  }));
  const steps = [{ id: 's0', status: 'requested', claims }];
  const state = { chainId: CHAIN, creator, asks, steps, loose: [] } as unknown as OperationState;
  return { ref: { tenant: 't', kind: 'operation', id }, state } as unknown as OperationRecord;
}

function compared(names: readonly string[], ...records: readonly OperationRecord[]): readonly string[] {
  const index = new OpenAskIndex();
  for (const record of records) index.update(record);
  return comparedOf(index.byAccount(CHAIN, ACCOUNT), names).map(({ ask }) => ask);
}

describe('the asks that are compared with a payment', () => {
  it('review:C4 hold those of everybody, however many one creator has made before', () => {
    const junk = Array.from({ length: 3 }, (_, n) => recordOf(`junk-${n}`, 'mallory', 400, n * 1_000));
    const seen = compared([HASH], ...junk, recordOf('payer', 'agent', 1, 9_000));
    expect(seen).toContain('payer/0');
    expect(seen).toHaveLength(comparedAsksOfOne.value + 1);
  });

  it('review:C4 hold those that told of it first of all, in the order in which they did', () => {
    const junk = Array.from({ length: 3 }, (_, n) => recordOf(`junk-${n}`, 'agent', 400, n * 1_000));
    const [late, early] = [
      recordOf('late', 'agent', 1, 9_000, HASH),
      recordOf('early', 'agent', 1, 8_000, HASH),
    ];
    expect(compared([HASH], ...junk, late, early).slice(0, 2)).toEqual(['early/0', 'late/0']);
  });

  it('review:C4 hold of one creator those that wait before those that were given up', () => {
    const seen = compared([HASH], recordOf('old', 'agent', 400, 0), recordOf('new', 'agent', 1, 9_000));
    expect(seen.slice(0, 2)).toEqual(['old/399', 'new/0']);
  });

  it('review:C4 are so many at most, and many creators get one each before any gets two', () => {
    const many = Array.from({ length: 300 }, (_, n) => recordOf(`r-${n}`, `agent-${n}`, 50, n));
    const seen = compared([HASH], ...many);
    expect(seen).toHaveLength(comparedAsks.value);
    expect(new Set(seen.slice(0, 300).map((ask) => ask.split('/')[0])).size).toBe(300);
  });
});

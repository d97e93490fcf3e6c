/** Weights are added as they are written, and a share is rounded once (docs/spec/macp-2026.md 7.5). */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import { NEWEST_SESSION_REV, SessionRev } from '../../session/rev.js';
import { ModeSession } from '../mode-session.test.helper.js';
import { treeSet } from '../tree.js';
import { exactSums } from './exact-sums.js';

const MODE = 'macp.mode.decision.v1';
type Numbers = Readonly<Record<string, number>>;

function judged(weights: Numbers, threshold: number, against: string, rev: number = NEWEST_SESSION_REV) {
  const participants = Object.keys(weights);
  const rules = { voting: { algorithm: 'weighted', threshold, weights } };
  const on = new ModeSession({ mode: MODE, participants, rules, schemaVersion: 3, rev });
  expect(on.say(participants[0] ?? '', 'Proposal', { proposalId: 'p', option: 'x' })).toBe('ok');
  for (const name of participants)
    on.say(name, 'Vote', { proposalId: 'p', vote: against.includes(name) ? 'REJECT' : 'APPROVE' });
  return on;
}

const DENIED = 'POLICY_DENIED';
const BEFORE = SessionRev.NothingLeft;

describe(`${verifies('mode:decision:7.5:weighted:exact')}macp-2026:7.5 weights`, () => {
  it.each<readonly [weights: Numbers, threshold: number, against: string, exact: string, before: string]>([
    [{ a: 0.7, b: 0.1, c: 0.2 }, 0.8, 'c', 'ok', DENIED],
    [{ c: 0.7, b: 0.1, a: 0.2 }, 0.8, 'a', 'ok', DENIED],
    [{ a: 0.69, b: 0.1, c: 0.21 }, 0.8, 'c', DENIED, DENIED],
    [{ a: 7e-20, b: 1e-20, c: 2e-20 }, 0.8, 'c', 'ok', DENIED],
    // A weight that is little beside another is some weight.
    [{ a: 1e15, b: 0.01 }, 1, 'b', DENIED, 'ok'],
    [{ a: 1, b: 1e-17, c: 1e-17 }, 1, 'bc', DENIED, 'ok'],
    [{ a: 1e15, b: 5e-324 }, 1, '', 'ok', 'ok'],
    [{ a: 1e15, b: 5e-324 }, 1, 'b', DENIED, 'ok'],
    // A share that somebody has computed: its decimal number is above five sixths.
    [{ a: 5, b: 1 }, 5 / 6, 'b', 'ok', 'ok'],
    [{ a: 0.5, b: 0.1 }, 5 / 6, 'b', 'ok', 'ok'],
  ])('%j against %d without %s: %s, before %s', (weights, threshold, against, exact, before) => {
    expect(judged(weights, threshold, against).commit(true)).toBe(exact);
    const older = judged(weights, threshold, against, BEFORE);
    expect(older.commit(true)).toBe(before);
    expect(older.replayed()).toEqual(older.state);
  });

  it('are told as they add up', () => {
    const on = judged({ a: 0.7, b: 0.1, c: 0.2 }, 0.9, 'c');
    on.commit(true);
    expect(on.denials.map(({ message }) => message)).toEqual([
      'a weight of 0.8 of 1 approves; weighted needs a share of 0.9',
    ]);
  });

  it('that meet the threshold cannot be declined over', () => {
    expect(judged({ a: 0.7, b: 0.1, c: 0.2 }, 0.8, 'c').denied(false)).toEqual(['decline_over_approval']);
    expect(judged({ a: 0.7, b: 0.1, c: 0.2 }, 0.8, 'c', BEFORE).denied(false)).toBe('ok');
  });
});

describe('exact sums', () => {
  const cast = treeSet(treeSet(undefined, 'a', { approvals: 3, rejections: 0 }), 'b', {
    approvals: 0,
    rejections: 2,
  });

  it('count each vote of a voter', () => {
    const weights = new Map([
      ['a', 0.1],
      ['b', 1.35],
    ]);
    expect(exactSums(cast, weights)).toEqual({ approve: 0.3, reject: 2.7, decisive: 3, share: 0.1 });
  });

  it('have no share where nobody decided', () => {
    expect(exactSums(undefined, new Map([['a', 1]])).share).toBeNaN();
    expect(exactSums(cast, new Map([['c', 1]]))).toMatchObject({ decisive: 0, share: Number.NaN });
  });
});

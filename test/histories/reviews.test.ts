/** What the histories of operations cover under the rules of reviews (docs/spec/review.md); as coverage.test.ts for the rest. */
import {
  AskStanding,
  Basis,
  ClaimSource,
  ClaimStanding,
  Effect,
  Family,
  type OperationState,
  OperationStatus,
  StepStatus,
} from '@handover/core';
import { describe, expect, it } from 'vitest';
import { foldedStates, isOfRev1 } from './fold.js';
import { allHistories } from './read-histories.js';

const states = allHistories()
  .filter(({ ref }) => ref.kind === 'operation')
  .flatMap(({ ref, entries }) => foldedStates<OperationState>(ref, entries))
  .filter((state) => !isOfRev1(state));
const words = (all: Iterable<unknown>): readonly string[] => [...new Set([...all].map(String))].sort();
const tableOf = (rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).map(([row, columns]) => [row, columns.split(' ').sort()] as const);
const inFamily = (family: string) => states.filter((state) => state.family === family);
const claims = states.flatMap(({ steps, loose }) => [...steps.flatMap((step) => step.claims), ...loose]);

const STATUSES: Readonly<Record<Family, string>> = {
  operation:
    'pending_user_action opened wallet_connected tx_requested tx_submitted completed partial failed cancelled expired',
  bundle_deploy: 'pending_import opened imported deployed partial failed cancelled expired',
  session_start: 'pending_import completed partial failed cancelled expired',
};
/** Only a rule that is on the chain already is skipped. */
const STEP_STATUSES: Readonly<Record<Family, string>> = {
  operation: 'pending requested submitted confirmed failed',
  bundle_deploy: 'pending requested submitted confirmed failed skipped',
  session_start: 'pending requested submitted confirmed failed',
};
/** What is different, or too much, is the same for all families. */
const EFFECTS: Readonly<Record<Family, string>> = {
  operation: 'none unknown partial done different exceeded',
  bundle_deploy: 'none unknown partial done',
  session_start: 'none unknown partial done',
};

describe('reviews', () => {
  it.each(tableOf(STATUSES))('%s: each status that it can have', (family, reachable) => {
    expect(words(inFamily(family).map(({ status }) => status))).toEqual(reachable);
  });

  it.each(tableOf(STEP_STATUSES))('%s: each status of a step', (family, reachable) => {
    const steps = inFamily(family).flatMap((state) => state.steps);
    expect(words(steps.map(({ status }) => status))).toEqual(reachable);
  });

  it.each(tableOf(EFFECTS))('%s: each effect', (family, reachable) => {
    expect(words(inFamily(family).map(({ effect }) => effect))).toEqual(reachable);
  });

  it.each(Object.values(Family))('%s: closed, and not', (family) => {
    expect(words(inFamily(family).map(({ closed }) => closed))).toEqual(['false', 'true']);
  });

  it.each([
    ['standing of an ask', states.flatMap(({ asks }) => asks.map(({ standing }) => standing)), AskStanding],
    ['standing of a claim', claims.map(({ standing }) => standing), ClaimStanding],
    ['source of a claim', claims.map(({ source }) => source), ClaimSource],
    ['basis', states.flatMap(({ basis }) => basis), Basis],
    ['status', states.map(({ status }) => status), OperationStatus],
    ['status of a step', states.flatMap(({ steps }) => steps.map(({ status }) => status)), StepStatus],
    ['effect', states.map(({ effect }) => effect), Effect],
  ] as const)('each %s', (_what, reached, closedSet) => {
    expect(words(reached)).toEqual(words(Object.values(closedSet)));
  });

  it('each who may end it', () => {
    expect(words(states.flatMap(({ closing }) => (closing ? [closing.by] : [])))).toEqual([
      'admin',
      'creator',
      'holder',
      'secret',
    ]);
  });
});

/** Each mode's second reading and the runtime's decider agree on every message in every state that can be reached. */
import { describe, expect, it } from 'vitest';
import { type DecisionPolicy, decisionModel } from './decision-model.js';
import type { ModeModel } from './mode-model.js';
import { compareWithDecider } from './mode-search.js';
import { multiRoundModel } from './multi-round-model.js';
import { type ProposalPolicy, proposalModel } from './proposal-model.js';
import { quorumModel } from './quorum-model.js';
import { taskModel } from './task-model.js';

const DECISION_POLICIES: readonly DecisionPolicy[] = [
  { schema: 1 },
  { schema: 1, algorithm: 'majority' },
  {
    schema: 3,
    algorithm: 'majority',
    threshold: 0.6,
    requireQuorum: true,
    quorum: { type: 'count', value: 2 },
  },
  { schema: 2, algorithm: 'supermajority', threshold: 0.7, declineOverApproval: true },
  { schema: 3, algorithm: 'unanimous', veto: { threshold: 2, action: 'finalize_decline' } },
  { schema: 3, algorithm: 'weighted', weights: { a: 2 }, evaluation: { minimum: 0.5 } },
  { schema: 2, algorithm: 'plurality', veto: { threshold: 1, action: 'hold' }, evaluation: { minimum: 0 } },
  {
    schema: 2,
    requireQuorum: true,
    quorum: { type: 'percentage', value: 51 },
    veto: { threshold: 1, action: 'deny' },
  },
];
const PROPOSAL_POLICIES: readonly ProposalPolicy[] = [
  { criterion: 'all_parties', maxRounds: 0, anyRejectEnds: false },
  { criterion: 'counterparty', maxRounds: 1, anyRejectEnds: false },
  { criterion: 'initiator', maxRounds: 0, anyRejectEnds: true },
];

function expectAgreement<State>(model: ModeModel<State>, least: { states: number; compared: number }): void {
  const { disagreements, states, compared, refusals } = compareWithDecider(model);
  expect(disagreements.slice(0, 5)).toEqual([]);
  expect(states).toBeGreaterThan(least.states);
  expect(compared).toBeGreaterThan(least.compared);
  expect(refusals.size).toBeGreaterThan(3);
}

describe('model and decider agree on every message in every state', () => {
  it.each(DECISION_POLICIES.map((policy) => [JSON.stringify(policy), policy] as const))(
    'of Decision Mode, with %s',
    (_, policy) => expectAgreement(decisionModel(policy), { states: 1_000, compared: 50_000 }),
    60_000,
  );

  it.each(PROPOSAL_POLICIES.map((policy) => [JSON.stringify(policy), policy] as const))(
    'of Proposal Mode, with %s',
    (_, policy) => expectAgreement(proposalModel(policy), { states: 100, compared: 5_000 }),
  );

  it.each([true, false].flatMap((reassign) => [true, false].map((output) => ({ reassign, output }))))(
    'of Task Mode, with %j',
    (policy) => expectAgreement(taskModel(policy), { states: 15, compared: 2_000 }),
  );

  it.each([
    undefined,
    { type: 'n_of_m', value: 2 },
    { type: 'n_of_m', value: 4 },
    { type: 'percentage', value: 34 },
    { type: 'percentage', value: 100 },
  ])('of Quorum Mode, with %j', (threshold) =>
    expectAgreement(quorumModel(threshold), { states: 100, compared: 5_000 }),
  );

  it('of the multi-round mode', () => expectAgreement(multiRoundModel(), { states: 50, compared: 1_000 }));
});

/** Each mode's second reading and the runtime's decider agree on every message in every state that can be reached. */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../conformance/verifies.js';
import { decisionModel } from './decision-model.js';
import type { ModeModel } from './mode-model.js';
import { compareWithDecider } from './mode-search.js';
import {
  DECISION_POLICIES,
  everyVariant,
  PROPOSAL_POLICIES,
  QUORUM_THRESHOLDS,
  TASK_POLICIES,
} from './models.js';
import { multiRoundModel } from './multi-round-model.js';
import { proposalModel } from './proposal-model.js';
import { quorumModel } from './quorum-model.js';
import { taskModel } from './task-model.js';

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
    `${verifies('macp-2026:7:views')}of Proposal Mode, with %s`,
    (_, policy) => expectAgreement(proposalModel(policy), { states: 100, compared: 5_000 }),
  );

  it.each(TASK_POLICIES)('of Task Mode, with %j', (policy) =>
    expectAgreement(taskModel(policy), { states: 15, compared: 2_000 }),
  );

  it.each(QUORUM_THRESHOLDS)('of Quorum Mode, with %j', (threshold) =>
    expectAgreement(quorumModel(threshold), { states: 100, compared: 5_000 }),
  );

  everyVariant((name, model) => {
    it(`of ${name}`, () => {
      const { disagreements, compared } = compareWithDecider(model);
      expect(disagreements.slice(0, 5)).toEqual([]);
      expect(compared).toBeGreaterThan(50);
    }, 60_000);
  });

  it('of the multi-round mode', () => expectAgreement(multiRoundModel(), { states: 50, compared: 1_000 }));
});

/** Every model, under the policies with which it is compared. */
import { type DecisionPolicy, decisionModel } from './decision-model.js';
import type { ModeModel } from './mode-model.js';
import { multiRoundModel } from './multi-round-model.js';
import { type ProposalPolicy, proposalModel } from './proposal-model.js';
import { quorumModel } from './quorum-model.js';
import { type TaskPolicy, taskModel } from './task-model.js';
import { withAuthority, withNobody } from './variants.js';

export const DECISION_POLICIES: readonly DecisionPolicy[] = [
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

export const PROPOSAL_POLICIES: readonly ProposalPolicy[] = [
  { criterion: 'all_parties', maxRounds: 0, anyRejectEnds: false },
  { criterion: 'counterparty', maxRounds: 1, anyRejectEnds: false },
  { criterion: 'initiator', maxRounds: 0, anyRejectEnds: true },
];

export const TASK_POLICIES: readonly TaskPolicy[] = [true, false].flatMap((reassign) =>
  [true, false].map((output) => ({ reassign, output })),
);

export const QUORUM_THRESHOLDS: readonly Parameters<typeof quorumModel>[0][] = [
  undefined,
  { type: 'n_of_m', value: 2 },
  { type: 'n_of_m', value: 4 },
  { type: 'percentage', value: 34 },
  { type: 'percentage', value: 100 },
];

/** One after another; each has a state of its own type. */
export function everyModel(visit: <State>(name: string, model: ModeModel<State>) => void): void {
  const say = (policy: unknown) => JSON.stringify(policy) ?? 'policy.default';
  for (const policy of DECISION_POLICIES) visit(`Decision Mode, with ${say(policy)}`, decisionModel(policy));
  for (const policy of PROPOSAL_POLICIES) visit(`Proposal Mode, with ${say(policy)}`, proposalModel(policy));
  for (const policy of TASK_POLICIES) visit(`Task Mode, with ${say(policy)}`, taskModel(policy));
  for (const threshold of QUORUM_THRESHOLDS)
    visit(`Quorum Mode, with ${say(threshold)}`, quorumModel(threshold));
  visit('the multi-round mode', multiRoundModel());
  everyVariant(visit);
}

const OUTSIDER = 'x';

/** Who commits, and who is in the list, where that is not the initiator alone and others. */
export function everyVariant(visit: <State>(name: string, model: ModeModel<State>) => void): void {
  const majority: DecisionPolicy = { schema: 3, algorithm: 'majority' };
  const proposal: ProposalPolicy = { criterion: 'counterparty', maxRounds: 1, anyRejectEnds: false };
  const task: TaskPolicy = { reassign: true, output: true };
  const both = <State>(mode: string, model: ModeModel<State>): void => {
    visit(`${mode}, committed by anybody in it`, withAuthority(model));
    visit(
      `${mode}, committed by one from outside and one participant`,
      withAuthority(model, [OUTSIDER, 'a']),
    );
  };
  both('Decision Mode', decisionModel(majority));
  both('Proposal Mode', proposalModel(proposal));
  both('Task Mode', taskModel(task));
  both('Quorum Mode', quorumModel());
  visit('Decision Mode, the initiator among the voters', decisionModel(majority, ['owner', 'a']));
  visit('Quorum Mode, the initiator among the voters', quorumModel(undefined, ['owner', 'a', 'b']));
  visit('Decision Mode, with nobody in the list', withNobody(decisionModel(majority)));
}

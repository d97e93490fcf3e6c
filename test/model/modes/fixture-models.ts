/** The model of a fixture's mode, under its policy. Its initiator is called `owner`, as in every model. */
import type { Fixture } from '../../conformance/fixture-types.js';
import { type DecisionPolicy, decisionModel } from './decision-model.js';
import type { ModeModel } from './mode-model.js';
import { multiRoundModel } from './multi-round-model.js';
import { type ProposalPolicy, proposalModel } from './proposal-model.js';
import { quorumModel } from './quorum-model.js';
import { taskModel } from './task-model.js';
import { withAuthority } from './variants.js';

type Block = Readonly<Record<string, unknown>>;

export const nameIn =
  ({ initiator }: Fixture) =>
  (name: string): string =>
    name === initiator ? 'owner' : name;

/** Gives the model to `visit`, since each has a state of its own type. */
export function modelOf<Seen>(fixture: Fixture, visit: <State>(model: ModeModel<State>) => Seen): Seen {
  const rules = fixture.policy?.rules;
  const all: Readonly<Record<string, Block | undefined>> =
    typeof rules === 'object' ? (rules as Record<string, Block>) : {};
  const people = fixture.participants.map(nameIn(fixture));
  const under = <State>(model: ModeModel<State>) => visit(committed(model, all.commitment));
  switch (fixture.mode) {
    case 'macp.mode.decision.v1':
      return under(decisionModel(decisionPolicy(all, fixture.policy?.schema_version ?? 1), people));
    case 'macp.mode.proposal.v1':
      return under(proposalModel(proposalPolicy(all), people));
    case 'macp.mode.task.v1': {
      const reassign = all.assignment?.allow_reassignment_on_reject === true;
      return under(taskModel({ reassign, output: all.completion?.require_output === true }, people));
    }
    case 'macp.mode.quorum.v1': {
      const { type = 'n_of_m', value } = all.threshold ?? {};
      const threshold = value === undefined ? undefined : { type: String(type), value: Number(value) };
      return under(quorumModel(threshold, people));
    }
    default:
      // Whatever the policy says, the initiator commits.
      return visit(multiRoundModel(people));
  }
}

function committed<State>(model: ModeModel<State>, { authority, designated_roles }: Block = {}) {
  if (authority === 'any_participant') return withAuthority(model);
  return authority === 'designated_role'
    ? withAuthority(model, designated_roles as readonly string[])
    : model;
}

function decisionPolicy(rules: Readonly<Record<string, Block | undefined>>, schema: number): DecisionPolicy {
  const { voting = {}, objection_handling: objections = {}, evaluation = {}, commitment = {} } = rules;
  const { quorum, threshold, weights } = voting as Pick<DecisionPolicy, 'quorum' | 'threshold' | 'weights'>;
  return {
    schema,
    algorithm: (voting.algorithm ?? 'none') as NonNullable<DecisionPolicy['algorithm']>,
    ...(threshold !== undefined && { threshold }),
    ...(weights && { weights }),
    ...(quorum && { quorum: { ...quorum, type: quorum.type ?? 'count' } }),
    requireQuorum: commitment.require_vote_quorum === true,
    declineOverApproval: commitment.allow_decline_over_approval === true,
    ...(objections.critical_severity_vetoes === true && {
      veto: {
        threshold: Number(objections.veto_threshold ?? 1),
        action: (objections.critical_objection_action ?? 'deny') as 'deny' | 'finalize_decline' | 'hold',
      },
    }),
    ...(evaluation.required_before_voting === true && {
      evaluation: { minimum: Number(evaluation.minimum_confidence ?? 0) },
    }),
  };
}

function proposalPolicy(rules: Readonly<Record<string, Block | undefined>>): ProposalPolicy {
  return {
    criterion: (rules.acceptance?.criterion ?? 'all_parties') as ProposalPolicy['criterion'],
    maxRounds: Number(rules.counter_proposal?.max_rounds ?? 0),
    anyRejectEnds: rules.rejection?.terminal_on_any_reject === true,
  };
}

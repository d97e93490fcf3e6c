/** The built-in modes as their pages show them. */
import { DEFAULT_RULES } from '../../model/handoff-model.js';
import { type DecisionPolicy, decisionModel } from '../../model/modes/decision-model.js';
import { multiRoundModel } from '../../model/modes/multi-round-model.js';
import { type ProposalPolicy, proposalModel } from '../../model/modes/proposal-model.js';
import { quorumModel } from '../../model/modes/quorum-model.js';
import { type TaskPolicy, taskModel } from '../../model/modes/task-model.js';
import { handoffScenario, type Role, type Scenario, scenario } from './moves.js';

export interface ShownMode {
  readonly mode: string;
  /** docs/modes/<page>.md */
  readonly page: string;
  /** The step in which a session begins. */
  readonly initial: string;
  /** The default policy first. `only`: the rule that makes the others differ, as the picture names it. */
  readonly scenarios: readonly { readonly only: string; readonly scenario: Scenario }[];
  /** Ids of the search. */
  readonly ids: readonly string[];
  /** Who may send each message, in words, and by the roles that the search finds. */
  readonly senders: Readonly<Record<string, readonly [words: string, ...roles: Role[]]>>;
}

const LISTED = 'any participant; the initiator only if it is listed';
const COMMITTER = 'the initiator, or whoever `commitment.authority` names';

const decision = (policy: DecisionPolicy) => scenario(decisionModel(policy));
const proposal = (policy: Partial<ProposalPolicy>) =>
  scenario(proposalModel({ criterion: 'all_parties', maxRounds: 0, anyRejectEnds: false, ...policy }));
const task = (policy: Partial<TaskPolicy>) =>
  scenario(taskModel({ reassign: false, output: false, ...policy }));

export const SHOWN_MODES: readonly ShownMode[] = [
  {
    mode: 'macp.mode.decision.v1',
    page: 'decision',
    initial: 'Proposal',
    // The picture is the same under every policy; what differs is which Commitment is denied.
    scenarios: [
      { schema: 1 },
      {
        schema: 3,
        algorithm: 'majority',
        evaluation: { minimum: 0.5 },
        requireQuorum: true,
        quorum: { type: 'count', value: 2 },
        veto: { threshold: 1, action: 'deny' },
      } as const,
      {
        schema: 3,
        algorithm: 'majority',
        evaluation: { minimum: 0 },
        veto: { threshold: 1, action: 'hold' },
      } as const,
    ].map((policy) => ({ only: '', scenario: decision(policy) })),
    ids: ['p', 'q'],
    senders: {
      Proposal: [LISTED, 'participant'],
      Evaluation: [LISTED, 'participant'],
      Objection: [LISTED, 'participant'],
      Vote: [LISTED, 'participant'],
      Commitment: [COMMITTER, 'initiator'],
    },
  },
  {
    mode: 'macp.mode.proposal.v1',
    page: 'proposal',
    initial: 'Negotiating',
    scenarios: [
      { only: '', scenario: proposal({}) },
      { only: 'criterion counterparty', scenario: proposal({ criterion: 'counterparty', maxRounds: 1 }) },
      { only: 'criterion initiator', scenario: proposal({ criterion: 'initiator' }) },
      { only: 'terminal_on_any_reject', scenario: proposal({ anyRejectEnds: true }) },
    ],
    ids: ['p', 'q', 'r'],
    senders: {
      Proposal: [LISTED, 'initiator', 'participant'],
      CounterProposal: [LISTED, 'initiator', 'participant'],
      Accept: [LISTED, 'initiator', 'participant'],
      Reject: [LISTED, 'initiator', 'participant'],
      Withdraw: ['the author of that proposal', 'initiator', 'participant'],
      Commitment: [COMMITTER, 'initiator'],
    },
  },
  {
    mode: 'macp.mode.task.v1',
    page: 'task',
    initial: 'Pending',
    scenarios: [
      { only: '', scenario: task({}) },
      { only: 'reassignment allowed', scenario: task({ reassign: true }) },
      { only: 'require_output', scenario: task({ output: true }) },
    ],
    ids: ['t', 'u'],
    senders: {
      TaskRequest: ['the initiator', 'initiator'],
      TaskAccept: [
        'the requested assignee; without one any participant but the initiator',
        'participant',
        'initiator',
      ],
      TaskReject: [
        'those who may send TaskAccept; once it is assigned, the assignee',
        'participant',
        'initiator',
      ],
      TaskUpdate: ['the assignee', 'participant', 'initiator'],
      TaskComplete: ['the assignee', 'participant', 'initiator'],
      TaskFail: ['the assignee', 'participant', 'initiator'],
      Commitment: [COMMITTER, 'initiator'],
    },
  },
  {
    mode: 'macp.mode.handoff.v1',
    page: 'handoff',
    initial: 'Pending',
    scenarios: [
      { only: '', scenario: handoffScenario(DEFAULT_RULES) },
      {
        only: 'implicit_accept_timeout_ms',
        scenario: handoffScenario({ ...DEFAULT_RULES, silence: 'accept' }),
      },
      {
        only: 'implicit_decline_timeout_ms',
        scenario: handoffScenario({ ...DEFAULT_RULES, silence: 'decline' }),
      },
      { only: 'allow_no_target', scenario: handoffScenario({ ...DEFAULT_RULES, allowNoTarget: true }) },
    ],
    ids: ['h1', 'h2'],
    senders: {
      HandoffOffer: ['the initiator', 'initiator'],
      HandoffContext: ['who made the offer', 'initiator'],
      HandoffAccept: ['the target of the offer', 'participant'],
      HandoffDecline: ['the target of the offer', 'participant'],
      Commitment: [COMMITTER, 'initiator'],
    },
  },
  {
    mode: 'macp.mode.quorum.v1',
    page: 'quorum',
    initial: 'Pending',
    scenarios: [
      { only: '', scenario: scenario(quorumModel()) },
      {
        only: 'threshold.value above the number of participants',
        scenario: scenario(quorumModel({ type: 'n_of_m', value: 4 })),
      },
    ],
    ids: ['r', 's'],
    senders: {
      ApprovalRequest: ['the initiator', 'initiator'],
      Approve: [LISTED, 'participant'],
      Reject: [LISTED, 'participant'],
      Abstain: [LISTED, 'participant'],
      Commitment: [COMMITTER, 'initiator'],
    },
  },
  {
    mode: 'ext.multi_round.v1',
    page: 'multi-round',
    initial: 'Contributing',
    scenarios: [{ only: '', scenario: scenario(multiRoundModel()) }],
    ids: ['v'],
    senders: {
      Contribute: [LISTED, 'participant'],
      Commitment: ['the initiator, whatever a policy says', 'initiator'],
    },
  },
];

/**
 * The rules that a policy may have, value by value, from section 6.3 of the protocol's page: written down by hand, since the
 * readers of the server are what is tested.
 */
export interface Domain {
  readonly mode: string;
  readonly path: string;
  /** What stands beside it; a value may be right only together with another. */
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const FLAG = { right: [true, false], wrong: ['true', 1, null, {}] };
const WHOLE = { wrong: [-1, 0.5, '1', null, true, []] };
const words = (...right: readonly string[]) => ({
  right,
  wrong: [right[0]?.toUpperCase(), `${right[0]} `, '', 1, null, right],
});

const in_ = (
  mode: string,
  rows: Readonly<Record<string, Omit<Domain, 'mode' | 'path'>>>,
): readonly Domain[] =>
  Object.entries(rows).map(([path, row]) => ({
    mode: `macp.mode.${mode}.v1`,
    path: path.replace(/ .*/, ''),
    ...row,
  }));

const THRESHOLD = [0, -0.1, 1.01, '0.5', null];

export const DECISION: readonly Domain[] = in_('decision', {
  'voting.algorithm': {
    ...words('none', 'majority', 'supermajority', 'unanimous', 'weighted', 'plurality'),
    beside: { threshold: 0.6, weights: { a: 1 } },
  },
  'voting.threshold': { right: [0.001, 0.5, 1], wrong: THRESHOLD },
  'voting.threshold of a majority': {
    beside: { algorithm: 'majority' },
    right: [0.5, 1],
    wrong: [0.49, ...THRESHOLD],
  },
  'voting.threshold of a supermajority': {
    beside: { algorithm: 'supermajority' },
    right: [0.51, 1],
    // Undefined: it must be given.
    wrong: [0.5, undefined, ...THRESHOLD],
  },
  'voting.quorum': { right: [{}, { type: 'count' }], wrong: [1, 'count', null, [], { kind: 'count' }] },
  'voting.quorum.type': words('count', 'percentage'),
  'voting.quorum.value': { right: [0, 0.5, 3, 200], wrong: [-1, '1', null] },
  // 0.5 might mean half of them or half a percent, and more than all can never have voted.
  'voting.quorum.value of a percentage': {
    beside: { type: 'percentage' },
    right: [0, 1, 33.3, 50, 100, undefined],
    wrong: [0.5, 0.999, 100.1, 150, -1],
  },
  'voting.weights': {
    right: [{ a: 1 }, { a: 0.1, 'any name at all': 2 }],
    wrong: [{}, { a: 0 }, { a: -1 }, { a: '1' }, [], 1, null],
  },
  'voting.weights of weighted': {
    beside: { algorithm: 'weighted' },
    right: [{ a: 1 }],
    wrong: [undefined],
  },
  'objection_handling.critical_severity_vetoes': FLAG,
  'objection_handling.veto_threshold': { right: [1, 2], wrong: [0, ...WHOLE.wrong] },
  'objection_handling.critical_objection_action': words('deny', 'finalize_decline', 'hold'),
  'evaluation.required_before_voting': FLAG,
  'evaluation.minimum_confidence': { right: [0, 0.5, 1], wrong: [-0.1, 1.1, '0', null] },
  'commitment.require_vote_quorum': FLAG,
  'commitment.allow_decline_over_approval': FLAG,
});

export const PROPOSAL: readonly Domain[] = in_('proposal', {
  'acceptance.criterion': words('all_parties', 'counterparty', 'initiator'),
  'counter_proposal.max_rounds': { right: [0, 1, 100], ...WHOLE },
  'rejection.terminal_on_any_reject': FLAG,
});

export const TASK: readonly Domain[] = in_('task', {
  'assignment.allow_reassignment_on_reject': FLAG,
  'completion.require_output': FLAG,
});

export const HANDOFF: readonly Domain[] = in_('handoff', {
  'acceptance.implicit_accept_timeout_ms': { right: [0, 1, 86_400_000], ...WHOLE },
});

export const QUORUM: readonly Domain[] = in_('quorum', {
  'threshold.type': {
    ...words('n_of_m', 'percentage', 'count'),
    beside: { value: 2 },
    wrong: ['weighted', 'N_OF_M', '', 1, null],
  },
  'threshold.value': { right: [1, 3, 75.0, 1000], wrong: [0, ...WHOLE.wrong] },
  'threshold.value of a percentage': {
    beside: { type: 'percentage' },
    // Undefined: the request says how many approvals, as under every other type.
    right: [1, 100, undefined],
    wrong: [0, 101, 50.5],
  },
  'abstention.counts_toward_quorum': FLAG,
  'abstention.interpretation': words('neutral', 'implicit_reject', 'ignored'),
});

export const COMMITMENT: readonly Domain[] = ['decision', 'proposal', 'task', 'handoff', 'quorum'].flatMap(
  (mode) =>
    in_(mode, {
      'commitment.authority': {
        ...words('initiator_only', 'any_participant', 'designated_role'),
        beside: { designated_roles: ['somebody'] },
      },
      'commitment.designated_roles': { right: [['a'], ['a', 'b'], []], wrong: ['a', [1], [''], null] },
      'commitment.designated_roles of that role': {
        beside: { authority: 'designated_role' },
        right: [['a']],
        wrong: [[], undefined],
      },
    }),
);

/** Keys that nobody has, at every level that is closed. */
export const CLOSED: readonly (readonly [string, string])[] = [
  ...['decision', 'proposal', 'task', 'handoff', 'quorum'].flatMap((mode) => [
    [mode, 'unknown'] as const,
    [mode, 'commitment.unknown'] as const,
  ]),
  ['decision', 'voting.unknown'],
  ['decision', 'voting.quorum.unknown'],
  ['decision', 'objection_handling.unknown'],
  ['decision', 'evaluation.unknown'],
  ['proposal', 'acceptance.unknown'],
  ['proposal', 'counter_proposal.unknown'],
  ['proposal', 'rejection.unknown'],
  ['task', 'assignment.unknown'],
  ['task', 'completion.unknown'],
  ['handoff', 'acceptance.unknown'],
  ['quorum', 'threshold.unknown'],
  ['quorum', 'abstention.unknown'],
  // Keys of another mode are unknown here.
  ['proposal', 'voting'],
  ['task', 'acceptance'],
  ['handoff', 'commitment.require_vote_quorum'],
  ['quorum', 'completion'],
];

/** A second reading of Decision Mode, from macp-2026 section 7. Counts are cut where no rule can tell them apart. */
import { Denied, fromEach, type ModeModel, type Refusal, type Said } from './mode-model.js';

export interface DecisionPolicy {
  readonly algorithm?: 'none' | 'majority' | 'supermajority' | 'unanimous' | 'weighted' | 'plurality';
  readonly threshold?: number;
  readonly weights?: Readonly<Record<string, number>>;
  readonly quorum?: { readonly type: 'count' | 'percentage'; readonly value: number };
  readonly requireQuorum?: boolean;
  readonly veto?: { readonly threshold: number; readonly action: 'deny' | 'finalize_decline' | 'hold' };
  readonly evaluation?: { readonly minimum: number };
  readonly declineOverApproval?: boolean;
  readonly schema: number;
}

export interface State {
  readonly proposals: readonly string[];
  /** Best confidence of an evaluation that is not REVIEW; -1: there is none. */
  readonly best: number;
  readonly critical: number;
  /** `proposal voter` to the word. */
  readonly votes: Readonly<Record<string, string>>;
}

const VOTERS = ['a', 'b'];
const PROPOSALS = ['p', 'q'];
const TYPES = ['Proposal', 'Evaluation', 'Objection', 'Vote'];
/** No policy of the search needs more critical objections than this. */
const MANY = 2;

/** The initiator is in the list only where it is among the voters. */
export function decisionModel(policy: DecisionPolicy, voters: readonly string[] = VOTERS): ModeModel<State> {
  return {
    mode: 'macp.mode.decision.v1',
    owner: 'owner',
    participants: voters,
    rules: toRules(policy),
    schemaVersion: policy.schema,
    committers: ['owner'],
    initial: { proposals: [], best: -1, critical: 0, votes: {} },
    messages: messages(voters),
    hears: (type, sender) => TYPES.includes(type) && voters.includes(sender),
    step,
    commit: (state, positive) => {
      if (state.proposals.length === 0) return 'INVALID_ENVELOPE';
      const codes = denials(state, policy, voters, positive);
      return codes.length === 0 ? 'ok' : new Denied(...codes);
    },
    phase: phaseOf,
    key: (state) => {
      const { proposals, best, critical, votes } = state;
      return JSON.stringify([
        phaseOf(state),
        [...proposals].sort(),
        best,
        critical,
        Object.entries(votes).sort(),
      ]);
    },
    keyOfView,
  };
}

function phaseOf({ proposals, votes }: State): string {
  if (Object.keys(votes).length > 0) return 'Voting';
  return proposals.length > 0 ? 'Evaluation' : 'Proposal';
}

function messages(voters: readonly string[]): readonly Said[] {
  const somebody = ['owner', 'b', 'x'].filter((name) => !voters.includes(name));
  return [
    ...fromEach(voters, 'Proposal', [
      ...PROPOSALS.map((proposalId) => ({ proposalId, option: 'o' })),
      { proposalId: '', option: 'o' },
      { proposalId: 'p', option: ' ' },
    ]),
    ...fromEach(voters, 'Evaluation', [
      { proposalId: 'p', recommendation: 'APPROVE', confidence: 0.4 },
      { proposalId: 'p', recommendation: 'BLOCK', confidence: 0.9 },
      { proposalId: 'q', recommendation: 'REVIEW', confidence: 1 },
      { proposalId: 'p', recommendation: 'approve', confidence: 0.4 },
      { proposalId: 'p', recommendation: 'APPROVE', confidence: 1.5 },
    ]),
    ...fromEach(voters, 'Objection', [
      { proposalId: 'p', severity: 'critical' },
      { proposalId: 'q', severity: 'low' },
      { proposalId: 'p', severity: '' },
    ]),
    ...fromEach(
      voters,
      'Vote',
      ['APPROVE', 'REJECT', 'ABSTAIN', 'yes'].flatMap((vote) =>
        PROPOSALS.map((proposalId) => ({ proposalId, vote })),
      ),
    ),
    ...fromEach(voters, 'Unknown', [{}]),
    ...fromEach(somebody, 'Proposal', [{ proposalId: 'p', option: 'o' }]),
    ...fromEach(somebody, 'Evaluation', [{ proposalId: 'p', recommendation: 'BLOCK', confidence: 1 }]),
    ...fromEach(somebody, 'Objection', [{ proposalId: 'p', severity: 'low' }]),
    ...fromEach(somebody, 'Vote', [{ proposalId: 'p', vote: 'APPROVE' }]),
  ];
}

function step(state: State, { type, sender, fields }: Said): State | Refusal {
  const id = String(fields.proposalId);
  const voting = Object.keys(state.votes).length > 0;
  const known = state.proposals.includes(id);
  switch (type) {
    case 'Proposal': {
      const sound = !voting && id.trim() !== '' && String(fields.option).trim() !== '' && !known;
      return sound ? { ...state, proposals: [...state.proposals, id] } : 'INVALID_ENVELOPE';
    }
    case 'Evaluation': {
      const { recommendation, confidence } = fields;
      const words = ['APPROVE', 'REVIEW', 'BLOCK', 'REJECT'];
      const sound =
        words.includes(String(recommendation)) && Number(confidence) >= 0 && Number(confidence) <= 1;
      if (!sound || voting || !known) return 'INVALID_ENVELOPE';
      return recommendation === 'REVIEW'
        ? state
        : { ...state, best: Math.max(state.best, Number(confidence)) };
    }
    case 'Objection': {
      const words = ['low', 'medium', 'high', 'critical'];
      if (!words.includes(String(fields.severity)) || voting || !known) return 'INVALID_ENVELOPE';
      const more = fields.severity === 'critical' ? 1 : 0;
      return { ...state, critical: Math.min(state.critical + more, MANY) };
    }
    case 'Vote': {
      const place = `${id} ${sender}`;
      const sound = ['APPROVE', 'REJECT', 'ABSTAIN'].includes(String(fields.vote)) && known;
      if (!sound || place in state.votes) return 'INVALID_ENVELOPE';
      return { ...state, votes: { ...state.votes, [place]: String(fields.vote) } };
    }
    default:
      return 'FORBIDDEN';
  }
}

/** All reasons, in their order: evaluation, veto, quorum, votes. */
function denials(
  state: State,
  policy: DecisionPolicy,
  voters: readonly string[],
  positive: boolean,
): readonly string[] {
  const { veto, evaluation, requireQuorum } = policy;
  const vetoed = veto !== undefined && state.critical >= veto.threshold;
  const finalizes = veto?.action === 'finalize_decline';
  // A decline that objections finalize is asked for nothing else.
  if (vetoed && finalizes && !positive) return [];
  const codes: string[] = [];
  if (evaluation && evaluation.minimum > 0 && state.best < evaluation.minimum)
    codes.push('confidence_below_minimum');
  if (evaluation && evaluation.minimum === 0 && state.best < 0) codes.push('evaluation_required');
  if (vetoed) codes.push(veto.action === 'hold' ? 'veto_hold' : 'veto');
  const heard = new Set(Object.keys(state.votes).map((place) => place.split(' ')[1])).size;
  const { type, value } = policy.quorum ?? { type: 'count', value: 0 };
  if (requireQuorum && (type === 'count' ? heard : (heard * 100) / voters.length) < value)
    codes.push('quorum_not_met');
  return [...codes, ...denialsOfVotes(state, policy, voters, positive)];
}

function denialsOfVotes(
  { votes }: State,
  policy: DecisionPolicy,
  voters: readonly string[],
  positive: boolean,
): readonly string[] {
  const {
    algorithm = 'none',
    threshold = 0.5,
    weights = {},
    schema,
    requireQuorum,
    declineOverApproval,
  } = policy;
  if (algorithm === 'none') return [];
  const cast = Object.entries(votes).map(([place, word]) => {
    const voter = place.split(' ')[1] ?? '';
    return { voter, word, weight: algorithm === 'weighted' ? (weights[voter] ?? 0) : 1 };
  });
  // In millionths, which are whole: no policy here has finer weights.
  const sum = (word: string) =>
    cast
      .filter((vote) => vote.word === word)
      .reduce((total, { weight }) => total + Math.round(weight * 1e6), 0);
  const [yes, no] = [sum('APPROVE'), sum('REJECT')];
  if (yes + no === 0) {
    if (!positive) return ['decline_not_backed'];
    return schema < 3 && !requireQuorum ? [] : ['no_votes'];
  }
  const everybody = voters.every((name) =>
    cast.some(({ voter, word }) => voter === name && word === 'APPROVE'),
  );
  const passed =
    algorithm === 'unanimous'
      ? everybody && no === 0
      : algorithm === 'plurality'
        ? yes > no
        : yes / (yes + no) >= threshold;
  if (positive) return passed ? [] : ['threshold_not_met'];
  return [
    ...(passed && !declineOverApproval ? ['decline_over_approval'] : []),
    ...(no === 0 ? ['decline_not_backed'] : []),
  ];
}

function toRules(policy: DecisionPolicy): Record<string, unknown> {
  const { algorithm = 'none', threshold, weights, quorum, veto, evaluation, schema } = policy;
  return {
    voting: {
      algorithm,
      ...(threshold !== undefined && { threshold }),
      ...(weights && { weights }),
      ...(quorum && { quorum }),
    },
    ...(veto && {
      objection_handling: {
        critical_severity_vetoes: true,
        veto_threshold: veto.threshold,
        critical_objection_action: veto.action,
      },
    }),
    ...(evaluation && {
      evaluation: { required_before_voting: true, minimum_confidence: evaluation.minimum },
    }),
    commitment: {
      require_vote_quorum: policy.requireQuorum === true,
      ...(schema > 1 && { allow_decline_over_approval: policy.declineOverApproval === true }),
    },
  };
}

interface View {
  readonly phase: string;
  readonly proposals: Readonly<Record<string, { readonly votes: Readonly<Record<string, string>> }>>;
  readonly evaluations: { readonly qualifying: number; readonly confidence: number };
  readonly objections: { readonly critical: number };
}

function keyOfView(view: unknown): string {
  const { phase, proposals, evaluations, objections } = view as View;
  const votes = Object.entries(proposals).flatMap(([id, { votes }]) =>
    Object.entries(votes).map(([voter, word]) => [`${id} ${voter}`, word]),
  );
  const best = evaluations.qualifying > 0 ? evaluations.confidence : -1;
  return JSON.stringify([
    phase,
    Object.keys(proposals).sort(),
    best,
    Math.min(objections.critical, MANY),
    votes.sort(),
  ]);
}

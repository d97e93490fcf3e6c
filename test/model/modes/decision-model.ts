/** A second reading of Decision Mode, from macp-2026 section 7. Counts are cut where no rule can tell them apart. */
import { type Code, fromEach, type ModeModel, type Said } from './mode-model.js';

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
/** No policy of the search needs more critical objections than this. */
const MANY = 2;

export function decisionModel(policy: DecisionPolicy): ModeModel<State> {
  return {
    mode: 'macp.mode.decision.v1',
    owner: 'owner',
    participants: VOTERS,
    rules: toRules(policy),
    schemaVersion: policy.schema,
    committers: ['owner'],
    initial: { proposals: [], best: -1, critical: 0, votes: {} },
    messages: messages(),
    step,
    commit: (state, positive) => {
      if (state.proposals.length === 0) return 'INVALID_ENVELOPE';
      return isAllowed(state, policy, positive) ? 'ok' : 'POLICY_DENIED';
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

function messages(): readonly Said[] {
  const somebody = ['owner', 'x'];
  return [
    ...fromEach(VOTERS, 'Proposal', [
      ...PROPOSALS.map((proposalId) => ({ proposalId, option: 'o' })),
      { proposalId: '', option: 'o' },
      { proposalId: 'p', option: ' ' },
    ]),
    ...fromEach(VOTERS, 'Evaluation', [
      { proposalId: 'p', recommendation: 'APPROVE', confidence: 0.4 },
      { proposalId: 'p', recommendation: 'BLOCK', confidence: 0.9 },
      { proposalId: 'q', recommendation: 'REVIEW', confidence: 1 },
      { proposalId: 'p', recommendation: 'approve', confidence: 0.4 },
      { proposalId: 'p', recommendation: 'APPROVE', confidence: 1.5 },
    ]),
    ...fromEach(VOTERS, 'Objection', [
      { proposalId: 'p', severity: 'critical' },
      { proposalId: 'q', severity: 'low' },
      { proposalId: 'p', severity: '' },
    ]),
    ...fromEach(
      VOTERS,
      'Vote',
      ['APPROVE', 'REJECT', 'ABSTAIN', 'yes'].flatMap((vote) =>
        PROPOSALS.map((proposalId) => ({ proposalId, vote })),
      ),
    ),
    ...fromEach(VOTERS, 'Unknown', [{}]),
    ...fromEach(somebody, 'Proposal', [{ proposalId: 'p', option: 'o' }]),
    ...fromEach(somebody, 'Evaluation', [{ proposalId: 'p', recommendation: 'BLOCK', confidence: 1 }]),
    ...fromEach(somebody, 'Objection', [{ proposalId: 'p', severity: 'low' }]),
    ...fromEach(somebody, 'Vote', [{ proposalId: 'p', vote: 'APPROVE' }]),
  ];
}

function step(state: State, { type, sender, fields }: Said): State | Code {
  if (!VOTERS.includes(sender)) return 'FORBIDDEN';
  const id = String(fields.proposalId);
  const voting = Object.keys(state.votes).length > 0;
  const known = state.proposals.includes(id);
  switch (type) {
    case 'Proposal': {
      const sound = !voting && id !== '' && String(fields.option).trim() !== '' && !known;
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

function isAllowed(state: State, policy: DecisionPolicy, positive: boolean): boolean {
  const { veto, evaluation, requireQuorum } = policy;
  const vetoed = veto !== undefined && state.critical >= veto.threshold;
  if (vetoed) {
    // Only finalize_decline lets anything pass, and then nothing else is asked.
    return veto.action === 'finalize_decline' && !positive;
  }
  if (evaluation && (evaluation.minimum > 0 ? state.best < evaluation.minimum : state.best < 0)) return false;
  const voters = new Set(Object.keys(state.votes).map((place) => place.split(' ')[1])).size;
  const { type, value } = policy.quorum ?? { type: 'count', value: 0 };
  if (requireQuorum && (type === 'count' ? voters : (voters / VOTERS.length) * 100) < value) return false;
  return votesAllow(state, policy, positive);
}

function votesAllow({ votes }: State, policy: DecisionPolicy, positive: boolean): boolean {
  const {
    algorithm = 'none',
    threshold = 0.5,
    weights = {},
    schema,
    requireQuorum,
    declineOverApproval,
  } = policy;
  if (algorithm === 'none') return true;
  const cast = Object.entries(votes).map(([place, word]) => {
    const voter = place.split(' ')[1] ?? '';
    return { voter, word, weight: algorithm === 'weighted' ? (weights[voter] ?? 0) : 1 };
  });
  const sum = (word: string) =>
    cast.filter((vote) => vote.word === word).reduce((total, { weight }) => total + weight, 0);
  const [yes, no] = [sum('APPROVE'), sum('REJECT')];
  if (yes + no === 0) return positive && schema < 3 && !requireQuorum;
  const everybody = VOTERS.every((name) =>
    cast.some(({ voter, word }) => voter === name && word === 'APPROVE'),
  );
  const passed =
    algorithm === 'unanimous'
      ? everybody && no === 0
      : algorithm === 'plurality'
        ? yes > no
        : yes / (yes + no) >= threshold;
  if (positive) return passed;
  return no > 0 && (!passed || declineOverApproval === true);
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

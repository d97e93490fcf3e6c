/** A second reading of Proposal Mode, from macp-2026 section 8. */
import { fromEach, type ModeModel, type Refusal, type Said } from './mode-model.js';

export interface ProposalPolicy {
  readonly criterion: 'all_parties' | 'counterparty' | 'initiator';
  readonly maxRounds: number;
  readonly anyRejectEnds: boolean;
}

interface Proposal {
  readonly author: string;
  readonly counter: boolean;
  readonly live: boolean;
  readonly ended: boolean;
}

export interface State {
  readonly proposals: Readonly<Record<string, Proposal>>;
  readonly accepts: Readonly<Record<string, string>>;
}

const PEERS = ['owner', 'a'];
const IDS = ['p', 'q'];

export function proposalModel(policy: ProposalPolicy, peers: readonly string[] = PEERS): ModeModel<State> {
  return {
    mode: 'macp.mode.proposal.v1',
    owner: 'owner',
    participants: peers,
    rules: {
      acceptance: { criterion: policy.criterion },
      counter_proposal: { max_rounds: policy.maxRounds },
      rejection: { terminal_on_any_reject: policy.anyRejectEnds },
    },
    schemaVersion: 3,
    committers: ['owner'],
    initial: { proposals: {}, accepts: {} },
    messages: messages(peers),
    hears: (_, sender) => peers.includes(sender),
    step: (state, said) => step(state, said, policy),
    commit: (state) => (isEnded(state) || isConverged(state, policy, peers) ? 'ok' : 'INVALID_ENVELOPE'),
    phase: (state) => {
      if (isEnded(state)) return 'TerminalRejected';
      return isConverged(state, policy, peers) ? 'Converged' : 'Negotiating';
    },
    key: ({ proposals, accepts }) =>
      JSON.stringify([
        Object.entries(proposals)
          .map(([id, { author, counter, live, ended }]) => [id, author, counter, live, ended])
          .sort(),
        Object.entries(accepts).sort(),
      ]),
    keyOfView,
  };
}

function messages(peers: readonly string[]): readonly Said[] {
  const about = IDS.map((proposalId) => ({ proposalId }));
  const kinds = ['Proposal', 'Accept', 'Withdraw'];
  return [
    ...kinds.flatMap((type) => fromEach(peers, type, [...about, { proposalId: '' }])),
    ...fromEach(
      peers,
      'Reject',
      about.flatMap((each) => [true, false].map((terminal) => ({ ...each, terminal }))),
    ),
    ...fromEach(
      peers,
      'CounterProposal',
      // One more id, so that a limit of one round is felt.
      [...about, { proposalId: 'r' }].flatMap((each) =>
        ['', 'p', 'q', 'none'].map((supersedesProposalId) => ({ ...each, supersedesProposalId })),
      ),
    ),
    ...fromEach(peers, 'Unknown', [{}]),
    ...[...kinds, 'Reject'].flatMap((type) => fromEach(['x'], type, [{ proposalId: 'p' }])),
  ];
}

function step(state: State, { type, sender, fields }: Said, policy: ProposalPolicy): State | Refusal {
  const id = String(fields.proposalId);
  const named = state.proposals[id];
  const add = (counter: boolean): State => ({
    ...state,
    proposals: { ...state.proposals, [id]: { author: sender, counter, live: true, ended: false } },
  });
  switch (type) {
    case 'Proposal':
      return id.trim() === '' || named ? 'INVALID_ENVELOPE' : add(false);
    case 'CounterProposal': {
      const rounds = Object.values(state.proposals).filter(({ counter }) => counter).length;
      const other = state.proposals[String(fields.supersedesProposalId)];
      const full = policy.maxRounds > 0 && rounds >= policy.maxRounds;
      return id.trim() === '' || named || !other || full ? 'INVALID_ENVELOPE' : add(true);
    }
    case 'Accept':
      return named?.live ? { ...state, accepts: { ...state.accepts, [sender]: id } } : 'INVALID_ENVELOPE';
    case 'Reject': {
      if (!named?.live) return 'INVALID_ENVELOPE';
      const ended = named.ended || fields.terminal === true || policy.anyRejectEnds;
      return { ...state, proposals: { ...state.proposals, [id]: { ...named, ended } } };
    }
    case 'Withdraw': {
      if (!named) return 'INVALID_ENVELOPE';
      if (named.author !== sender) return 'FORBIDDEN';
      if (!named.live) return 'INVALID_ENVELOPE';
      const gone = { ...named, live: false, ended: false };
      const kept = Object.entries(state.accepts).filter(([, accepted]) => accepted !== id);
      return { proposals: { ...state.proposals, [id]: gone }, accepts: Object.fromEntries(kept) };
    }
    default:
      return 'INVALID_ENVELOPE';
  }
}

const isEnded = ({ proposals }: State) => Object.values(proposals).some(({ ended }) => ended);

function isConverged(
  { proposals, accepts }: State,
  { criterion }: ProposalPolicy,
  peers: readonly string[],
): boolean {
  return Object.entries(proposals).some(([id, { author, live }]) => {
    const asked = {
      all_parties: peers,
      counterparty: peers.filter((name) => name !== author),
      initiator: ['owner'],
    };
    return live && asked[criterion].every((name) => accepts[name] === id);
  });
}

interface View {
  readonly proposals: Readonly<
    Record<
      string,
      {
        readonly author: string;
        readonly supersedes?: string;
        readonly disposition: string;
        readonly rejected_for_good: boolean;
      }
    >
  >;
  readonly acceptances: Readonly<Record<string, string>>;
}

function keyOfView(view: unknown): string {
  const { proposals, acceptances } = view as View;
  return JSON.stringify([
    Object.entries(proposals)
      .map(([id, each]) => [
        id,
        each.author,
        each.supersedes !== undefined,
        each.disposition === 'Live',
        each.rejected_for_good,
      ])
      .sort(),
    Object.entries(acceptances).sort(),
  ]);
}

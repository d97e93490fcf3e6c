/** A second reading of Quorum Mode, from macp-2026 section 11 and the clarification that positive needs the approvals. */
import { fromEach, type ModeModel, type Refusal, type Said } from './mode-model.js';

export interface State {
  readonly required?: number;
  readonly ballots: Readonly<Record<string, string>>;
}

const VOTERS = ['a', 'b', 'c'];
const KINDS = ['Approve', 'Reject', 'Abstain'];

/** The initiator is in the list only where it is among the voters. */
export function quorumModel(
  threshold?: { readonly type: string; readonly value: number },
  voters: readonly string[] = VOTERS,
): ModeModel<State> {
  const everybody = [...new Set(['owner', ...voters, 'x'])];
  const needed = ({ required = 0 }: State) => {
    if (!threshold) return required;
    return threshold.type === 'percentage'
      ? Math.ceil((threshold.value * voters.length) / 100)
      : threshold.value;
  };
  const phaseOf = (state: State) => {
    if (state.required === undefined) return 'Pending';
    const cast = Object.values(state.ballots);
    const yes = cast.filter((kind) => kind === 'Approve').length;
    if (yes >= needed(state)) return 'Reached';
    return yes + (voters.length - cast.length) < needed(state) ? 'OutOfReach' : 'Voting';
  };
  return {
    mode: 'macp.mode.quorum.v1',
    owner: 'owner',
    participants: voters,
    rules: threshold ? { threshold } : {},
    schemaVersion: 3,
    committers: ['owner'],
    initial: { ballots: {} },
    messages: [
      ...fromEach(
        ['owner', 'a', 'x'],
        'ApprovalRequest',
        [0, 1, 2, 3, 4].map((requiredApprovals) => ({ requestId: 'r', requiredApprovals })),
      ),
      ...fromEach(['owner'], 'ApprovalRequest', [{ requestId: '', requiredApprovals: 1 }]),
      ...[...KINDS, 'Unknown'].flatMap((type) =>
        fromEach(everybody, type, [{ requestId: 'r' }, { requestId: 's' }]),
      ),
    ],
    hears: (type, sender) => (type === 'ApprovalRequest' ? sender === 'owner' : voters.includes(sender)),
    step: (state, said) => step(state, said, voters.length),
    commit: (state, positive) => {
      const phase = phaseOf(state);
      return phase === 'Reached' || (phase === 'OutOfReach' && !positive) ? 'ok' : 'INVALID_ENVELOPE';
    },
    phase: phaseOf,
    key: ({ required, ballots }) => JSON.stringify([required ?? null, Object.entries(ballots).sort()]),
    keyOfView,
  };
}

function step(state: State, { type, sender, fields }: Said, places: number): State | Refusal {
  if (type === 'ApprovalRequest') {
    const required = Number(fields.requiredApprovals);
    const sound = state.required === undefined && String(fields.requestId).trim() !== '' && required >= 1;
    return sound && required <= places ? { ...state, required } : 'INVALID_ENVELOPE';
  }
  const sound = KINDS.includes(type) && state.required !== undefined && fields.requestId === 'r';
  if (!sound || sender in state.ballots) return 'INVALID_ENVELOPE';
  return { ...state, ballots: { ...state.ballots, [sender]: type } };
}

interface View {
  readonly request?: { readonly required_approvals: number };
  readonly ballots: Readonly<Record<string, string>>;
}

function keyOfView(view: unknown): string {
  const { request, ballots } = view as View;
  const words: Readonly<Record<string, string>> = {
    approve: 'Approve',
    reject: 'Reject',
    abstain: 'Abstain',
  };
  const cast = Object.entries(ballots).map(([by, choice]) => [by, words[choice]]);
  return JSON.stringify([request?.required_approvals ?? null, cast.sort()]);
}

/** The fold of Quorum Mode. */
import type { ModeEntry } from '../mode.js';
import { QuorumMessageType } from './messages.js';
import type { Ballot, QuorumState } from './state.js';

const CHOICES: ReadonlyMap<string, Ballot['choice']> = new Map([
  [QuorumMessageType.Approve, 'approve'],
  [QuorumMessageType.Reject, 'reject'],
  [QuorumMessageType.Abstain, 'abstain'],
]);

export function evolveQuorum(state: QuorumState, { type, facts, actor: by }: ModeEntry): QuorumState {
  const { request_id: requestId, required_approvals: required } = facts;
  if (typeof requestId !== 'string') return state;
  if (type === QuorumMessageType.Request)
    return state.request ? state : { ...state, request: { requestId, requiredApprovals: Number(required) } };
  const choice = CHOICES.get(type);
  if (!choice || state.request?.requestId !== requestId || state.ballots.some((cast) => cast.by === by))
    return state;
  return { ...state, ballots: [...state.ballots, { by, choice }] };
}

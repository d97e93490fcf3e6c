/** The multi-round mode's one message, and its fold (docs/spec/macp-2026.md 12). */
import type { Codec } from '../../envelope/codec.js';
import type { Envelope } from '../../envelope/envelope.js';
import { invalid, notListed } from '../answers.js';
import type { ModeDecision, ModeEntry, SessionView } from '../mode.js';
import { treeGet, treeSet } from '../tree.js';
import { contributionFacts } from './facts.js';
import { MultiRoundMessageType } from './messages.js';
import { readContribution } from './read-contribution.js';
import { areEqual, type MultiRoundState } from './state.js';

export function decideMultiRound(
  state: MultiRoundState,
  { messageType, sender, payload }: Envelope,
  session: Pick<SessionView, 'id' | 'participants'>,
  codec: Codec,
): ModeDecision {
  const unheard = notListed(sender, session);
  if (unheard) return unheard;
  if (messageType !== MultiRoundMessageType.Contribute)
    return invalid(`message_type ${messageType} is not part of the multi-round mode`);
  // A ContributePayload without a value has no bytes; an empty value may be written out all the same.
  const value = payload.length === 0 ? '' : readContribution(payload, codec);
  if (value === undefined) return invalid('payload is not a ContributePayload');
  if (value === '') return invalid('value is empty');
  if (state.converged)
    return invalid('all participants hold the same value; nothing more can be contributed');
  return { facts: contributionFacts(session.id, value, codec) };
}

/** A new value is a new round. */
export function evolveMultiRound(
  state: MultiRoundState,
  { type, facts, actor }: ModeEntry,
  { participants }: Pick<SessionView, 'participants'>,
): MultiRoundState {
  const digest = facts.value_sha256;
  if (type !== MultiRoundMessageType.Contribute || typeof digest !== 'string') return state;
  const held = treeGet(state.values, actor);
  if (held === digest) return state;
  const values = treeSet(state.values, actor, digest);
  const holders = state.holders + (held === undefined ? 1 : 0);
  const converged = holders === participants.length && areEqual(values);
  return { round: state.round + 1, values, holders, converged };
}

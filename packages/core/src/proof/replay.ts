/**
 * Replay by deciding again. Each entry is turned back into the question that it answered; the decider must give the same
 * entry now as it gave then. So a history that breaks a rule is found even if somebody computed its hashes anew.
 *
 * P1. Registries, clock and configuration of today are never consulted: what a decision needed is in the entries.
 * P2. An entry of a stream that was due is the tick, and nothing else; its time is the time at which it fell due.
 * P3. Rules are those of the revision that the SessionStart records; a log under an unknown revision does not replay.
 */
import type { DecideContext, Decider, Decision, Stamp } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import type { ChainHead, Draft, Entry } from '../log/entry.js';
import type { SessionState } from '../session/state.js';
import { firstDifference, shown } from './difference.js';

/** What must have been asked, and on what state. */
export interface Question<State, Command> {
  readonly state: State | undefined;
  readonly command: Command;
  readonly consulted: DecideContext['consulted'];
  /** The id that the asker chose, where the command does not carry it. */
  readonly messageId?: string;
}

/** The same for an entry that was decided by rules of an earlier revision. */
export interface EarlierQuestion {
  readonly decide: (stamp: Stamp, context: DecideContext) => Decision;
}

/** What receipts say of a session, besides its head. */
export interface ReceiptPart {
  readonly session: SessionState;
  readonly stateHash: string;
}

export interface Replay<State, Command> {
  readonly decider: Decider<State, Command>;
  /** The question that this entry answers, or why there can be none. */
  retell(
    state: State | undefined,
    entry: Entry,
    codec: Codec,
  ): Question<State, Command> | EarlierQuestion | string;
  /** What was due when this entry was written, where it depends on the entry which rules held; absent: the decider knows. */
  dueTick?(state: State, entry: Entry, context: DecideContext): Draft | undefined;
  /** Streams that it is bound to, as they must have stood when this entry was written. */
  companions?(state: State, entry: Entry): DecideContext['consulted'];
  /** For sessions only: no other receipt is made of a state. */
  receiptPart?(state: State, codec: Codec): ReceiptPart;
  /** True when the time in its list row may be one that a later entry has moved. */
  readonly dueMayLag?: boolean;
}

/** Says how an entry differs from what the rules give in its place, or undefined when it does not. */
export function replayFlaw<State, Command>(
  replay: Replay<State, Command>,
  state: State | undefined,
  after: ChainHead,
  entry: Entry,
  codec: Codec,
): string | undefined {
  const draft = dueTick(replay, state, entry, codec) ?? decidedAgain(replay, state, entry, codec);
  return typeof draft === 'string' ? draft : draftFlaw(draft, after, entry);
}

function dueTick<State, Command>(
  replay: Replay<State, Command>,
  state: State | undefined,
  entry: Entry,
  codec: Codec,
): Draft | undefined {
  if (state === undefined) return undefined;
  const context = { codec, consulted: replay.companions?.(state, entry) ?? {} };
  if (replay.dueTick) return replay.dueTick(state, entry, context);
  const due = replay.decider.due(state);
  return due === undefined || due > entry.at ? undefined : replay.decider.tick(state, context);
}

function decidedAgain<State, Command>(
  replay: Replay<State, Command>,
  state: State | undefined,
  entry: Entry,
  codec: Codec,
): Draft | string {
  const question = replay.retell(state, entry, codec);
  if (typeof question === 'string') return question;
  const decision = decisionOf(replay, question, entry, codec);
  if (decision.kind === 'rejected')
    return `the rules refuse it: ${decision.rejection.code}, ${decision.rejection.message}`;
  const [draft, more] = decision.kind === 'accepted' ? decision.drafts : [];
  return draft && !more ? draft : 'the rules would not have recorded it';
}

function decisionOf<State, Command>(
  { decider }: Replay<State, Command>,
  question: Question<State, Command> | EarlierQuestion,
  { at, seq, actor: agent }: Entry,
  codec: Codec,
): Decision {
  if ('decide' in question) return question.decide({ at, seq, agent }, { codec, consulted: {} });
  const { state, command, messageId, consulted } = question;
  const stamp: Stamp = { at, seq, agent, ...(messageId !== undefined && { messageId }) };
  return decider.decide(state, command, stamp, { codec, consulted });
}

function draftFlaw(draft: Draft, after: ChainHead, entry: Entry): string | undefined {
  for (const field of ['type', 'v', 'actor', 'messageId'] as const)
    if (draft[field] !== entry[field])
      return `${field} is ${shown(entry[field])}; the rules give ${shown(draft[field])}`;
  if (draft.at !== undefined && entry.at !== Math.max(draft.at, after.at))
    return `at is ${entry.at}; it fell due at ${draft.at}`;
  const difference = firstDifference(draft.facts, entry.facts);
  if (difference)
    return `facts.${difference.path} is ${shown(difference.found)}; the rules give ${shown(difference.expected)}`;
  return sameBytes(draft.payload, entry.payload)
    ? undefined
    : 'payload is not what the runtime writes for such an entry';
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/**
 * A decider is a pair of pure functions over one stream: `decide` says what would be appended, `evolve` folds what was.
 * Live server, replay, `handover verify` and simulation run the same ones. Time is an input, never read.
 */
import type { Codec } from './envelope/codec.js';
import type { Draft, EntryHead, StreamKind, StreamRef } from './log/entry.js';
import type { JsonObject } from './log/json.js';
import type { Rejection } from './rejection.js';
import type { Consulted, Reaction } from './streams.js';

/** What the engine knows about the moment of deciding. */
export interface Stamp {
  /** Acceptance time in milliseconds; never below the stream's last entry. */
  readonly at: number;
  /** The sequence number that the first draft will get. */
  readonly seq: number;
  /** The authenticated sender. */
  readonly agent: string;
  /** The id under which a retry of this command is recognised, when it has one that is not in the command itself. */
  readonly messageId?: string;
  /** The entry that already carries this command's message id, if any. */
  readonly seen?: SeenMessage;
}

/** Enough of an earlier entry to tell a retry from a conflict. */
export interface SeenMessage {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly actor: string;
  readonly payloadHash: string;
  readonly salt: Uint8Array;
  readonly facts: JsonObject;
}

export interface DecideContext {
  readonly codec: Codec;
  /** Registries that the submission names, and companions. */
  readonly consulted: Consulted;
}

export type Decision =
  /** Append these. None: the command was already true (an idempotent success). */
  | { readonly kind: 'accepted'; readonly drafts: readonly Draft[] }
  /** The same message was accepted before, at this time. */
  | { readonly kind: 'duplicate'; readonly acceptedAt: number; readonly seq: number }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export const accepted = (...drafts: readonly Draft[]): Decision => ({ kind: 'accepted', drafts });
export const rejected = (rejection: Rejection): Decision => ({ kind: 'rejected', rejection });

/** What lists show of a stream, besides its id. */
export interface Listing {
  readonly state: string;
  readonly createdAt: number;
  readonly summary: JsonObject;
}

export interface Decider<State, Command> {
  readonly kind: StreamKind;
  decide(state: State | undefined, command: Command, stamp: Stamp, context: DecideContext): Decision;
  /** Total over known types; throws HandoverError DATA_LOSS on a type or version it does not know. */
  evolve(state: State | undefined, entry: EntryHead): State;
  /** When the next tick falls due, if ever. */
  due(state: State): number | undefined;
  /** What a due stream appends; called again until `due` is in the future. */
  tick(state: State, context: DecideContext): Draft;
  /** True when something that lists show differs. */
  listingChanged(before: State | undefined, after: State): boolean;
  listing(state: State): Listing;
  /** Who became involved by this entry. */
  involved(state: State, entry: EntryHead): readonly { readonly agent: string; readonly role: string }[];
  /** Streams that this one is bound to: its decisions can read them, by kind, and it may react on them. */
  companions?(state: State, stream: StreamRef): readonly StreamRef[];
  /** What this entry makes happen in companions, in the same append. A reaction is never refused. */
  react?(state: State, entry: EntryHead): readonly Reaction[];
}

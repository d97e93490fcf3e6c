import type { DecideContext } from '../decider.js';
import type { Envelope } from '../envelope/envelope.js';
import type { Draft, EntryHead, StreamRef } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import type { Rejection } from '../rejection.js';
import type { Reaction } from '../streams.js';
import type { SessionBinding } from './binding.js';
import type { SessionState } from './state.js';

/** The work that a session may be bound to, as the session decider sees it. Nothing here knows a mode. */
export interface BoundWork {
  /** Streams that must be at hand when the session is decided. */
  companions(session: SessionState, stream: StreamRef): readonly StreamRef[];
  /** What an entry of the session makes happen in them, in the same append. */
  react(session: SessionState, entry: EntryHead): readonly Reaction[];
  /**
   * Facts of a message that the server itself writes in such a session; undefined: it is an ordinary message. Only such a
   * message may have an id that the runtime writes.
   */
  ownMessage(binding: SessionBinding, envelope: Envelope): JsonObject | undefined;
  /** Why a Commitment is refused that the session itself would take. */
  commitmentFlaw(session: SessionState, consulted: DecideContext['consulted']): Rejection | undefined;
  /** When it has something to append to the session; before the session's own timers. */
  due(session: SessionState): number | undefined;
  tick(session: SessionState, context: DecideContext): Draft | undefined;
}

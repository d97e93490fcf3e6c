import type { DecideContext } from '../decider.js';
import type { Draft, EntryHead, StreamRef } from '../log/entry.js';
import type { Rejection } from '../rejection.js';
import type { Reaction } from '../streams.js';
import type { SessionState } from './state.js';

/** The work that a session may be bound to, as the session decider sees it. Nothing here knows a mode. */
export interface BoundWork {
  /** Streams that must be at hand when the session is decided. */
  companions(session: SessionState, stream: StreamRef): readonly StreamRef[];
  /** What an entry of the session makes happen in them, in the same append. */
  react(session: SessionState, entry: EntryHead): readonly Reaction[];
  /** Why a Commitment is refused that the session itself would take. */
  commitmentFlaw(session: SessionState, consulted: DecideContext['consulted']): Rejection | undefined;
  /** When it has something to append to the session; before the session's own timers. */
  due(session: SessionState): number | undefined;
  tick(session: SessionState, context: DecideContext): Draft | undefined;
}

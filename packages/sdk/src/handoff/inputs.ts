/** What the methods of HandoffSession take. */
import type { OutcomeDetails, Speaker } from '../session/inputs.js';

/** An offer to a target. */
export interface OfferInput extends Speaker {
  /** An id of one's own choice, new in the session; answers and context name it. */
  readonly handoffId: string;
  /** Who is to take over: a participant other than the sender. */
  readonly targetParticipant: string;
  /** What is handed over, in words or as an id. */
  readonly scope?: string | undefined;
  /** Why; shown to the target. */
  readonly reason?: string | undefined;
}

/** Context for a handoff. */
export interface ContextInput extends Speaker {
  /** Which handoff: the id that its offer has. */
  readonly handoffId: string;
  /** What the bytes are; `application/octet-stream` by default. `encodeContext` makes both. */
  readonly contentType?: string | undefined;
  /** The bytes, at most as many as the runtime takes in one message. */
  readonly context?: Uint8Array | undefined;
}

/** The target takes the handoff. */
export interface AcceptInput extends Speaker {
  /** Which handoff: the id that its offer has. */
  readonly handoffId: string;
  /** By default the sender. */
  readonly acceptedBy?: string | undefined;
  /** Why it is taken; recorded, and shown to the owner. */
  readonly reason?: string | undefined;
}

/** The target refuses the handoff. */
export interface DeclineInput extends Speaker {
  /** Which handoff: the id that its offer has. */
  readonly handoffId: string;
  /** By default the sender. */
  readonly declinedBy?: string | undefined;
  /** Why not; recorded, and shown to the owner. */
  readonly reason?: string | undefined;
}

/** The end of a Handoff session. Whatever is left out follows from the history in the projection. */
export interface CommitInput extends OutcomeDetails {
  /** What was decided; its ending says the outcome. By default `handoff.accepted` or `handoff.declined`. */
  readonly action?: string | undefined;
  /** For what it is binding; by default the scope of the offer. */
  readonly authorityScope?: string | undefined;
  /** Why; by default who answered what. */
  readonly reason?: string | undefined;
}

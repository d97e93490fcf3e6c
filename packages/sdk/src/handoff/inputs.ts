/** What the methods of HandoffSession take. */
import type { OutcomeDetails, Speaker } from '../session/inputs.js';

/** An offer to a target. */
export interface OfferInput extends Speaker {
  readonly handoffId: string;
  readonly targetParticipant: string;
  readonly scope?: string | undefined;
  readonly reason?: string | undefined;
}

/** Context for a handoff. */
export interface ContextInput extends Speaker {
  readonly handoffId: string;
  readonly contentType?: string | undefined;
  readonly context?: Uint8Array | undefined;
}

/** The target takes the handoff. */
export interface AcceptInput extends Speaker {
  readonly handoffId: string;
  /** By default the sender. */
  readonly acceptedBy?: string | undefined;
  readonly reason?: string | undefined;
}

/** The target refuses the handoff. */
export interface DeclineInput extends Speaker {
  readonly handoffId: string;
  /** By default the sender. */
  readonly declinedBy?: string | undefined;
  readonly reason?: string | undefined;
}

/** The end of a Handoff session. Whatever is left out follows from the history in the projection. */
export interface CommitInput extends OutcomeDetails {
  readonly action?: string | undefined;
  readonly authorityScope?: string | undefined;
  readonly reason?: string | undefined;
}

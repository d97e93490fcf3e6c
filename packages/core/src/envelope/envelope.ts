import { EXPIRED_TYPE } from '../session/runtime-names.js';

/**
 * The one container of everything a participant says (macp.v1.Envelope), in core's own terms:
 * milliseconds are numbers, the payload stays opaque bytes until the mode reads it.
 */
export interface Envelope {
  /** `1.0`. */
  readonly macpVersion: string;
  /** The mode of the session; empty for a Signal. */
  readonly mode: string;
  /** What is said, such as `HandoffOffer`. */
  readonly messageType: string;
  /** Tells messages of a session apart: the same one again is a duplicate. */
  readonly messageId: string;
  /** The session; empty for a Signal. */
  readonly sessionId: string;
  /** Who says it. */
  readonly sender: string;
  /** When it was said, by the sender's clock. */
  readonly timestampUnixMs: number;
  /** What is said, in the protobuf form of its type. */
  readonly payload: Uint8Array;
}

/** The only protocol version there is. */
export const MACP_VERSION = '1.0';

/** Message types of Core that have a meaning of their own, apart from any mode. */
export const CoreMessageType = {
  SessionStart: 'SessionStart',
  Commitment: 'Commitment',
  Signal: 'Signal',
  Progress: 'Progress',
  SessionCancel: 'SessionCancel',
  SessionSuspend: 'SessionSuspend',
  SessionResume: 'SessionResume',
} as const;

/**
 * Types that only the runtime writes, the entry of a time-out among them; a client that sends one is refused, whatever the mode of
 * its session lists.
 */
export const RUNTIME_MESSAGE_TYPES: ReadonlySet<string> = new Set([
  EXPIRED_TYPE,
  CoreMessageType.SessionCancel,
  CoreMessageType.SessionSuspend,
  CoreMessageType.SessionResume,
]);

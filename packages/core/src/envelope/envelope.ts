import { EXPIRED_TYPE } from '../session/runtime-names.js';

/**
 * The one container of everything a participant says (macp.v1.Envelope), in core's own terms:
 * milliseconds are numbers, the payload stays opaque bytes until the mode reads it.
 */
export interface Envelope {
  readonly macpVersion: string;
  readonly mode: string;
  readonly messageType: string;
  readonly messageId: string;
  readonly sessionId: string;
  readonly sender: string;
  readonly timestampUnixMs: number;
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

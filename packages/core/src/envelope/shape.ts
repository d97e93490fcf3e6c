/**
 * Rows 1 to 5 of sending (docs/spec/macp.md 2.2): what can be said of an envelope by looking at it alone, before
 * anybody is authenticated and before any session is touched.
 */

import { RESERVED_MESSAGE_ID_PREFIX } from '../log/runtime-draft.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import { isBlank, isId } from '../text.js';
import { CoreMessageType, type Envelope, MACP_VERSION, RUNTIME_MESSAGE_TYPES } from './envelope.js';

/** 9999-12-31T23:59:59.999Z: beyond it there is no RFC 3339 form. */
export const MAX_TIMESTAMP_MS = 253_402_300_799_999;

const invalid = (message: string): Rejection => reject(RejectionCode.INVALID_ENVELOPE, message);

export function checkShape(envelope: Envelope, maxPayloadBytes: number): Rejection | undefined {
  return (
    checkVersion(envelope) ??
    checkNames(envelope) ??
    checkPlane(envelope) ??
    checkSize(envelope, maxPayloadBytes)
  );
}

function checkVersion({ macpVersion }: Envelope): Rejection | undefined {
  if (macpVersion === MACP_VERSION) return undefined;
  return reject(RejectionCode.UNSUPPORTED_PROTOCOL_VERSION, `macp_version must be "${MACP_VERSION}"`);
}

function checkNames(envelope: Envelope): Rejection | undefined {
  if (envelope.messageType === '') return invalid('message_type is empty');
  if (envelope.messageId === '') return invalid('message_id is empty');
  if (!isId(envelope.messageType))
    return invalid('message_type must be 1 to 256 bytes without control characters');
  if (!isId(envelope.messageId))
    return invalid('message_id must be 1 to 256 bytes without control characters');
  if (envelope.messageId.startsWith(RESERVED_MESSAGE_ID_PREFIX))
    return invalid(
      `message_id may not begin with "${RESERVED_MESSAGE_ID_PREFIX}": those ids belong to the runtime`,
    );
  if (RUNTIME_MESSAGE_TYPES.has(envelope.messageType))
    return invalid(`message_type ${envelope.messageType} is written by the runtime only`);
  const ts = envelope.timestampUnixMs;
  if (!Number.isSafeInteger(ts) || ts < 0 || ts > MAX_TIMESTAMP_MS)
    return invalid('timestamp_unix_ms must lie between 1970 and the end of year 9999');
  return undefined;
}

/** Ambient messages name no session and no mode; all others name both. */
function checkPlane({ messageType, sessionId, mode }: Envelope): Rejection | undefined {
  if (messageType === CoreMessageType.Signal) {
    if (sessionId !== '') return invalid('session_id must be empty on a Signal');
    if (mode !== '') return invalid('mode must be empty on a Signal');
    return undefined;
  }
  if (messageType === CoreMessageType.Progress && sessionId === '') {
    return mode === '' ? undefined : invalid('mode must be empty on a Progress without a session');
  }
  if (sessionId === '') return invalid('session_id is empty');
  if (isBlank(mode)) return invalid('mode is empty');
  if (!isId(mode)) return invalid('mode must be 1 to 256 bytes without control characters');
  return undefined;
}

function checkSize({ payload }: Envelope, max: number): Rejection | undefined {
  if (payload.length <= max) return undefined;
  return reject(
    RejectionCode.PAYLOAD_TOO_LARGE,
    `payload has ${payload.length} bytes; the limit is ${max} (MACP_MAX_PAYLOAD_BYTES)`,
  );
}

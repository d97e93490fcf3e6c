import type { Envelope } from '../envelope/envelope.js';
import { type Entry, StreamKind } from '../log/entry.js';
import { EXPIRED_TYPE } from '../session/runtime-names.js';

/** The envelope that a session's entry records; the expiry entry and entries of other streams record none. */
export function envelopeOfEntry(entry: Entry): Envelope | undefined {
  if (entry.stream.kind !== StreamKind.Session || entry.type === EXPIRED_TYPE) return undefined;
  const { macp_version, mode, ts } = entry.facts;
  return {
    macpVersion: typeof macp_version === 'string' ? macp_version : '',
    mode: typeof mode === 'string' ? mode : '',
    messageType: entry.type,
    messageId: entry.messageId,
    sessionId: entry.stream.id,
    sender: entry.actor,
    timestampUnixMs: typeof ts === 'number' ? ts : 0,
    payload: entry.payload,
  };
}

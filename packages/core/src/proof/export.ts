/**
 * The complete transcript of a stream in canonical JSON. It leaves nothing out, so that it can be checked without the
 * server and without this code:
 *
 * - `hash` is SHA-256 of "handover/1", JCS(`head`) and JCS(`facts`); `head.prev` is the `hash` before it;
 * - `head.payload_hash` is SHA-256 of `salt` and the payload's bytes (`payload_b64`, in the envelope where there is one).
 *
 * `decoded` shows the payload to people. It may leave fields out, but it never contradicts the payload.
 */
import type { Codec } from '../envelope/codec.js';
import { envelopeToJson } from '../envelope/json/envelope-json.js';
import type { Entry, StreamRef } from '../log/entry.js';
import { canonicalJson, type Json, type JsonObject } from '../log/json.js';
import { envelopeOfEntry } from './entry-envelope.js';

export const EXPORT_FORMAT = 'handover-export@1';

export function exportOf(ref: StreamRef, entries: readonly Entry[], codec: Codec): JsonObject {
  return {
    format: EXPORT_FORMAT,
    tenant: ref.tenant,
    stream: streamName(ref),
    entries: entries.map((entry) => exportEntry(entry, codec)),
  };
}

export function exportEntry(entry: Entry, codec: Codec): JsonObject {
  const common = {
    head: exportHead(entry),
    facts: entry.facts,
    hash: entry.hash,
    salt: codec.toBase64(entry.salt),
  };
  const payload_b64 = codec.toBase64(entry.payload);
  const envelope = envelopeOfEntry(entry);
  if (!envelope) return { ...common, payload_b64 };
  const { payload: decoded, payload_b64: _, ...fields } = envelopeToJson(envelope, codec);
  return { ...common, envelope: { ...fields, payload_b64 }, ...(decoded !== undefined && { decoded }) };
}

/** The same text as the canonical JSON of `exportOf`, piece by piece: a long session need not fit in memory. */
export function createExportWriter(
  ref: StreamRef,
  codec: Codec,
): { readonly entry: (entry: Entry) => string; readonly end: () => string } {
  let before = '{"entries":[';
  const piece = (text: string): string => {
    const whole = before + text;
    before = ',';
    return whole;
  };
  return {
    entry: (entry) => piece(canonicalJson(exportEntry(entry, codec))),
    end: () => {
      const { entries: _, ...rest } = exportOf(ref, [], codec);
      const closing = `],${canonicalJson(rest).slice(1)}`;
      return before === ',' ? closing : before + closing;
    },
  };
}

export function streamName({ kind, id }: StreamRef): string {
  return `${kind}/${id}`;
}

/** The head as it is hashed. */
function exportHead(entry: Entry): Record<string, Json> {
  return {
    actor: entry.actor,
    at: entry.at,
    message_id: entry.messageId,
    payload_hash: entry.payloadHash,
    prev: entry.prev,
    seq: entry.seq,
    stream: streamName(entry.stream),
    tenant: entry.stream.tenant,
    type: entry.type,
    v: entry.v,
  };
}

/**
 * The hash chain.
 *
 * C1. payloadHash = SHA-256(salt || payload)
 * C2. hash = SHA-256("handover/1" || JCS(head) || JCS(facts)), head including payloadHash and prev
 * C3. seq is dense from 1, prev is the hash of seq - 1, `at` never goes back
 *
 * So a change to any stored value breaks either its own hash or the link after it. A chain alone cannot show that its
 * tail was cut off; receipts carry the head for that.
 */
import type { Codec } from '../envelope/codec.js';
import type { ChainHead, Draft, Entry, EntryHead, StreamRef } from './entry.js';
import { canonicalJson } from './json.js';

const DOMAIN = 'handover/1';

type HeadFields = Omit<EntryHead, 'hash' | 'factsText' | 'facts'>;

/** JCS of the head: the keys below stand in canonical order. */
export function canonicalHead(head: HeadFields): string {
  return (
    `{"actor":${JSON.stringify(head.actor)},"at":${head.at},"message_id":${JSON.stringify(head.messageId)},` +
    `"payload_hash":"${head.payloadHash}","prev":"${head.prev}","seq":${head.seq},` +
    `"stream":${JSON.stringify(`${head.stream.kind}/${head.stream.id}`)},"tenant":${JSON.stringify(head.stream.tenant)},` +
    `"type":${JSON.stringify(head.type)},"v":${head.v}}`
  );
}

export function entryHash(codec: Codec, head: HeadFields, factsText: string): string {
  return codec.sha256(codec.utf8(DOMAIN + canonicalHead(head) + factsText));
}

/** Gives a draft its place in the chain. */
export function seal(
  codec: Codec,
  stream: StreamRef,
  after: ChainHead,
  draft: Draft,
  now: number,
  salt: Uint8Array,
): Entry {
  const factsText = canonicalJson(draft.facts);
  const fields = {
    stream,
    seq: after.seq + 1,
    at: Math.max(draft.at ?? now, after.at),
    type: draft.type,
    v: draft.v,
    actor: draft.actor,
    messageId: draft.messageId,
    payloadHash: codec.sha256(salt, draft.payload),
    prev: after.hash,
  };
  const hash = entryHash(codec, fields, factsText);
  return { ...fields, hash, factsText, facts: draft.facts, salt, payload: draft.payload };
}

/** Says what is wrong with an entry that claims to follow `after`, or undefined when nothing is. */
export function chainFlaw(codec: Codec, after: ChainHead, entry: EntryHead): string | undefined {
  if (entry.seq !== after.seq + 1) return `sequence ${entry.seq} follows ${after.seq}`;
  if (entry.prev !== after.hash) return `prev of entry ${entry.seq} is not the hash of entry ${after.seq}`;
  if (entry.at < after.at) return `time of entry ${entry.seq} goes back`;
  if (entryHash(codec, entry, entry.factsText) !== entry.hash)
    return `hash of entry ${entry.seq} does not match its contents`;
  return undefined;
}

/** Says whether the bytes match the payload hash of the head. */
export function payloadFlaw(codec: Codec, entry: Entry): string | undefined {
  if (codec.sha256(entry.salt, entry.payload) === entry.payloadHash) return undefined;
  return `payload of entry ${entry.seq} does not match its hash`;
}

export function headOf(entry: EntryHead): ChainHead {
  return { seq: entry.seq, hash: entry.hash, at: entry.at };
}

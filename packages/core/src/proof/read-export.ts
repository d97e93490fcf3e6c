/**
 * An export, read back into the entries it was made of.
 *
 * X1. Heads, facts, hashes, salts and payload bytes are the entries; the audit checks whether they hold together.
 * X2. Everything else in the document repeats them. It is written anew from the entries and must come out the same.
 */

import type { Codec } from '../envelope/codec.js';
import { HandoverError } from '../fault.js';
import { isFields } from '../fields.js';
import { type Entry, StreamKind, type StreamRef } from '../log/entry.js';
import { canonicalJson, type Json, type JsonObject } from '../log/json.js';
import { type Difference, firstDifference, isList } from './difference.js';
import {
  anyList,
  anyObject,
  hexHash,
  matching,
  oneOf,
  type Reader,
  reading,
  shape,
  text,
  unreadable,
  whole,
} from './document.js';
import { EXPORT_FORMAT, exportEntry, streamName } from './export.js';
import type { Flaw } from './flaw.js';

export interface ReadExport {
  readonly ref: StreamRef;
  readonly entries: readonly Entry[];
}

const KINDS = Object.values(StreamKind).join('|');
const STREAM = matching(new RegExp(`^(?:${KINDS})/`), 'a kind of stream, a slash and an id');

const readDocument = shape(
  { format: oneOf(EXPORT_FORMAT), tenant: text, stream: STREAM, entries: anyList },
  {},
);

const readHead = shape(
  {
    actor: text,
    at: whole,
    message_id: text,
    payload_hash: hexHash,
    prev: hexHash,
    seq: whole,
    stream: STREAM,
    tenant: text,
    type: text,
    v: whole,
  },
  {},
);

const anything: Reader<Json> = (value) => value ?? null;

const readItem = shape(
  { head: readHead, facts: anyObject, hash: hexHash, salt: text },
  { envelope: anyObject, payload_b64: text, decoded: anything },
);

export function readExport(value: Json, codec: Codec): ReadExport | { readonly flaw: Flaw } {
  const read = reading(() => {
    const document = readDocument(value, '');
    const ref = refOf(document.tenant, document.stream);
    const entries = document.entries.map((item, i) => readEntry(item, `entries[${i}]`, ref, codec));
    return { ref, entries };
  });
  return 'flaw' in read ? read : read.value;
}

function refOf(tenant: string, stream: string): StreamRef {
  const slash = stream.indexOf('/');
  // STREAM has let only known kinds pass.
  return { tenant, kind: stream.slice(0, slash) as StreamKind, id: stream.slice(slash + 1) };
}

function readEntry(value: Json, path: string, ref: StreamRef, codec: Codec): Entry {
  const item = readItem(value, path);
  const { head, facts } = item;
  if (head.tenant !== ref.tenant)
    throw unreadable(`${path}.head.tenant`, 'is not the tenant of the document');
  if (head.stream !== streamName(ref))
    throw unreadable(`${path}.head.stream`, 'is not the stream of the document');
  const entry: Entry = {
    stream: ref,
    seq: head.seq,
    at: head.at,
    type: head.type,
    v: head.v,
    actor: head.actor,
    messageId: head.message_id,
    payloadHash: head.payload_hash,
    prev: head.prev,
    hash: item.hash,
    factsText: canonicalJson(facts),
    facts,
    salt: bytes(item.salt, `${path}.salt`, codec),
    payload: readPayload(item, path, codec),
  };
  checkRepeated(entry, value, path, codec);
  return entry;
}

function readPayload(item: ReturnType<typeof readItem>, path: string, codec: Codec): Uint8Array {
  if (!item.envelope) return bytes(item.payload_b64, `${path}.payload_b64`, codec);
  return bytes(item.envelope.payload_b64, `${path}.envelope.payload_b64`, codec);
}

/** Base64 in the one spelling that we write; with others a value could change and keep its meaning. */
function bytes(value: Json | undefined, path: string, codec: Codec): Uint8Array {
  const decoded = typeof value === 'string' ? codec.fromBase64(value) : undefined;
  if (decoded && codec.toBase64(decoded) === value) return decoded;
  throw unreadable(path, 'must be padded standard base64');
}

function checkRepeated(entry: Entry, value: Json, path: string, codec: Codec): void {
  const { decoded: shouldShow, ...shouldBe } = rewritten(entry, path, codec);
  const { decoded: shows, ...is } = value as JsonObject;
  const difference = firstDifference(shouldBe, is, path);
  if (difference) throw unreadable(difference.path, 'does not agree with the rest of the entry');
  const untrue = shows === undefined ? undefined : untruth(shouldShow, shows, `${path}.decoded`);
  if (untrue) throw unreadable(untrue.path, 'does not agree with the payload');
}

function rewritten(entry: Entry, path: string, codec: Codec): JsonObject {
  try {
    return exportEntry(entry, codec);
  } catch (thrown) {
    throw unreadable(path, `cannot be an entry: ${HandoverError.from(thrown).shortMessage}`);
  }
}

/** `decoded` may leave keys out: a later version may know more of a payload than the one that wrote the export. */
function untruth(truth: Json | undefined, shows: Json, path: string): Difference | undefined {
  if (isList(truth) && isList(shows) && truth.length === shows.length)
    return firstOf(shows, (item, i) => untruth(truth[i], item, `${path}[${i}]`));
  if (isFields(truth) && isFields(shows))
    return firstOf(Object.entries(shows), ([key, said]) =>
      untruth(Object.hasOwn(truth, key) ? truth[key] : undefined, said, `${path}.${key}`),
    );
  return firstDifference(truth, shows, path);
}

function firstOf<T, R>(items: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [i, item] of items.entries()) {
    const found = find(item, i);
    if (found !== undefined) return found;
  }
  return undefined;
}

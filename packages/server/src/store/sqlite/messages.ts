/** What crosses between the threads, packed: appends on the way in, heads, entries and list rows on the way out. */
import {
  type Entry,
  type EntryHead,
  isFields,
  type Json,
  type JsonObject,
  type StreamKind,
  type StreamRef,
} from '@handover/core';
import {
  type CommitRequest,
  decimalCursor,
  type FeedItem,
  type ListedStream,
  type StreamAppend,
  type StreamRow,
  type UsageQuery,
} from '@handover/engine';
import { Packer, Unpacker } from './pack.js';
import { damaged } from './sqlite-error.js';

/** Enough for an entry's fixed parts, ids and usual facts; the packer grows when it is not. */
const USUAL_ENTRY_BYTES = 640;

export function packRef(p: Packer, ref: StreamRef): Packer {
  return p.text(ref.tenant).text(ref.kind).text(ref.id);
}

export function unpackRef(u: Unpacker): StreamRef {
  return { tenant: u.text(), kind: u.text() as StreamKind, id: u.text() };
}

export function packAppends(appends: readonly StreamAppend[]): Uint8Array<ArrayBuffer> {
  let expected = 64;
  for (const { entries } of appends)
    for (const { payload, factsText } of entries)
      expected += USUAL_ENTRY_BYTES + payload.length + factsText.length;
  const p = new Packer(expected);
  for (const { stream, row, involved, entries } of appends) {
    packRef(p, stream).number(row ? 1 : 0);
    if (row) p.number(row.createdAt).text(row.state).nullable(row.due).text(row.summary);
    p.number(entries.length);
    for (const entry of entries) packEntry(p, entry);
    p.number(involved.length);
    for (const { agent, role } of involved) p.text(agent).text(role);
  }
  return p.finish();
}

function packEntry(p: Packer, e: Entry): void {
  p.number(e.seq).number(e.at).text(e.type).number(e.v).text(e.actor).text(e.messageId);
  p.hash(e.payloadHash).hash(e.prev).hash(e.hash).text(e.factsText).bytes(e.salt).bytes(e.payload);
}

export function packQuestions(asked: CommitRequest['messageIds']): Uint8Array<ArrayBuffer> {
  const p = new Packer();
  for (const { stream, messageId } of asked) packRef(p, stream).text(messageId);
  return p.finish();
}

export function packUsage({ tenant, actor }: UsageQuery): Uint8Array<ArrayBuffer> {
  const p = new Packer(256).text(tenant);
  return (actor === undefined ? p : p.text(actor)).finish();
}

export function unpackHead(u: Unpacker, stream: StreamRef): EntryHead {
  const seq = u.number();
  const head = {
    stream,
    seq,
    at: u.number(),
    type: u.text(),
    v: u.number(),
    actor: u.text(),
    messageId: u.text(),
  };
  const links = { payloadHash: u.hash(), prev: u.hash(), hash: u.hash() };
  const factsText = u.text();
  return { ...head, ...links, factsText, facts: parseFacts(factsText, seq) };
}

function parseFacts(text: string, seq: number): JsonObject {
  let facts: Json;
  try {
    facts = JSON.parse(text) as Json;
  } catch (thrown) {
    throw damaged(`the facts of entry ${seq} are no JSON`, thrown);
  }
  if (!isFields(facts)) throw damaged(`the facts of entry ${seq} are no object`);
  return facts;
}

/** Sequences are dense: a missing one means a lost row or a damaged index, and must not pass for the end. */
function checkDense(entry: EntryHead, expected: number): void {
  if (entry.seq !== expected)
    throw damaged(`entry ${expected} of ${entry.stream.kind}/${entry.stream.id} is missing`);
}

export function unpackHeads(packed: Uint8Array, stream: StreamRef, afterSeq: number): EntryHead[] {
  const u = new Unpacker(packed);
  const heads: EntryHead[] = [];
  while (!u.done) {
    const head = unpackHead(u, stream);
    checkDense(head, afterSeq + heads.push(head));
  }
  return heads;
}

export function unpackEntries(packed: Uint8Array, stream: StreamRef, afterSeq: number): Entry[] {
  const u = new Unpacker(packed);
  const entries: Entry[] = [];
  while (!u.done) {
    const entry = { ...unpackHead(u, stream), salt: u.bytes(), payload: u.bytes() };
    checkDense(entry, afterSeq + entries.push(entry));
  }
  return entries;
}

export function unpackFeed(packed: Uint8Array): FeedItem[] {
  const u = new Unpacker(packed);
  const items: FeedItem[] = [];
  while (!u.done) items.push({ at: decimalCursor(u.number()), entry: unpackHead(u, unpackRef(u)) });
  return items;
}

export function unpackListed(packed: Uint8Array): ListedStream[] {
  const u = new Unpacker(packed);
  const items: ListedStream[] = [];
  while (!u.done) items.push({ ref: unpackRef(u), row: unpackRow(u) });
  return items;
}

function unpackRow(u: Unpacker): StreamRow {
  return { createdAt: u.number(), state: u.text(), due: u.nullable(), summary: u.text() };
}

export function unpackDue(packed: Uint8Array): { ref: StreamRef; due: number }[] {
  const u = new Unpacker(packed);
  const items: { ref: StreamRef; due: number }[] = [];
  while (!u.done) items.push({ ref: unpackRef(u), due: u.number() });
  return items;
}

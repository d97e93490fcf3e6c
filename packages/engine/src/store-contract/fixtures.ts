/** Small logs to store. The hashes are well formed but made up: drivers store hashes and never check them. */
import {
  type Entry,
  type EntryHead,
  type JsonObject,
  StreamKind,
  type StreamRef,
  streamKey,
} from '@handover/core';
import { BEGINNING } from '../cursor.js';
import type {
  AskedStream,
  CommitOutcome,
  CommitRequest,
  Cursor,
  Store,
  StreamAppend,
  StreamRow,
} from '../store.js';
import { assert } from './case.js';

export const EVERYTHING = { entries: 1_000_000, bytes: 1e12 };
export const NOTHING_ASKED: CommitRequest = { streams: [], messageIds: [] };

export function streamRef(
  id: string,
  tenant = 'default',
  kind: StreamRef['kind'] = StreamKind.Session,
): StreamRef {
  return { tenant, kind, id };
}

export function hex(n: number): string {
  return n.toString(16).padStart(64, '0');
}

/** Bytes that are no valid UTF-8 and hold NULs. */
export function bytes(length: number, seed = 1): Uint8Array {
  const made = new Uint8Array(length);
  for (let i = 0; i < length; i++) made[i] = (i * 167 + seed * 31 + (i >> 8)) & 0xff;
  return made;
}

export function entryOf(stream: StreamRef, seq: number, over: Partial<Entry> = {}): Entry {
  const facts: JsonObject = { n: seq, to: 'agent' };
  return {
    stream,
    seq,
    at: 1_754_000_000_000 + seq,
    type: 'test.entry',
    v: 1,
    actor: 'owner',
    messageId: `m-${seq}`,
    payloadHash: hex(seq + 0xabc000),
    prev: hex(seq - 1),
    hash: hex(seq),
    factsText: JSON.stringify(facts),
    facts,
    salt: bytes(16, seq),
    payload: bytes(20, seq),
    ...over,
  };
}

export function chain(stream: StreamRef, from: number, to: number, over: Partial<Entry> = {}): Entry[] {
  const made: Entry[] = [];
  for (let seq = from; seq <= to; seq++) made.push(entryOf(stream, seq, over));
  return made;
}

export function rowOf(over: Partial<StreamRow> = {}): StreamRow {
  return { state: 'OPEN', due: null, createdAt: 1_754_000_000_000, summary: '{"a":1}', ...over };
}

/** An append; the first of a stream gets a row unless one is given. */
export function append(
  stream: StreamRef,
  entries: readonly Entry[],
  more: Partial<StreamAppend> = {},
): StreamAppend {
  const first = entries[0]?.seq === 1 ? { row: rowOf() } : {};
  return { stream, entries, involved: [], ...first, ...more };
}

/** Names the streams of these appends, as somebody asks who knows what stands before them. */
export function asking(...appends: readonly StreamAppend[]): CommitRequest {
  const asked = new Map<string, AskedStream>();
  for (const { stream: ref, entries } of appends) {
    const seq = (entries[0]?.seq ?? 1) - 1;
    const known = { seq, at: 0, hash: entries[0]?.prev ?? hex(0) };
    if (!asked.has(streamKey(ref))) asked.set(streamKey(ref), { ref, known, access: 'write' });
  }
  return { streams: [...asked.values()], messageIds: [] };
}

export function attempt(store: Store, ...appends: readonly StreamAppend[]): Promise<CommitOutcome> {
  return store.commit(asking(...appends), () => appends);
}

/** Stores one batch and gives the cursor after each entry. */
export async function store(to: Store, ...appends: readonly StreamAppend[]): Promise<readonly Cursor[]> {
  const outcome = await attempt(to, ...appends);
  assert(outcome.kind === 'stored', `expected stored, got ${JSON.stringify(outcome)}`);
  return to.shared ? cursorsOf(to, appends) : outcome.at;
}

/** Where several nodes write, only the feed knows the cursors. */
async function cursorsOf(of: Store, appends: readonly StreamAppend[]): Promise<readonly Cursor[]> {
  const placeOf = ({ stream, seq }: Pick<EntryHead, 'stream' | 'seq'>) => `${streamKey(stream)} ${seq}`;
  const at = new Map((await of.feed(BEGINNING, 1_000_000)).map((item) => [placeOf(item.entry), item.at]));
  return appends.flatMap(({ entries }) => entries.map((entry) => at.get(placeOf(entry)) ?? BEGINNING));
}

export function headOnly({ salt: _salt, payload: _payload, ...head }: Entry): EntryHead {
  return head;
}

export function seqs(entries: readonly { readonly seq: number }[]): number[] {
  return entries.map((entry) => entry.seq);
}

/** What follows a cursor, as stream and sequence: the only way to say where a cursor stands. */
export async function following(of: Store, after: Cursor): Promise<string[]> {
  const items = await of.feed(after, 1_000_000);
  return items.map(({ entry }) => `${entry.stream.tenant}/${entry.stream.id}/${entry.seq}`);
}

export function ids(items: readonly { readonly ref: StreamRef }[]): string[] {
  return items.map((item) => item.ref.id);
}

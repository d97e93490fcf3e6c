/** Reading context entries back from the log by their numbers. */
import { type BriefEntry, type Codec, type Entry, type StreamRef, WorklogEntryType } from '@handover/core';
import type { Store } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import { LongWork } from '../../platform/long-work.js';
import { parsePayload } from './payloads.js';
import { storedPayload } from './stored-payload.js';
import type { ContextEntryView } from './types.js';

const CONTEXT = WorklogEntryType.ContextAdded;
const HEADS_PAGE = 500;
const PAGE_BYTES = fixedLimits.contextPageBytes.value;
const MAX_PAGE = fixedLimits.contextPageEntries.value;
export const DEFAULT_PAGE = 200;

/** All that reading needs: also a folder that nobody serves has it. */
export interface EntrySource {
  readonly store: Pick<Store, 'load' | 'read'>;
  readonly codec: Codec;
}

export interface EntryPage {
  readonly entries: readonly ContextEntryView[];
  readonly hasMore: boolean;
}

/**
 * The entries with numbers after `after` and up to `upTo`: at most `limit`, as many as fit into a page, but at least
 * one.
 */
export async function readEntries(
  { store, codec }: EntrySource,
  ref: StreamRef,
  range: { readonly after: number; readonly upTo: number },
  limit: number = DEFAULT_PAGE,
  bytes: number = PAGE_BYTES,
): Promise<EntryPage> {
  const { after, upTo } = range;
  const count = Math.max(1, Math.min(limit, MAX_PAGE));
  const entries: ContextEntryView[] = [];
  const work = new LongWork();
  let room = bytes;
  let last = after;
  for (let seq = await seqBefore(store, ref, range); seq !== undefined; ) {
    const page = await store.read(ref, seq, { entries: count - entries.length, bytes: room });
    for (const entry of page.filter(({ type, facts }) => type === CONTEXT && Number(facts.n) <= upTo)) {
      entries.push(entryView(entry, codec));
      room -= entry.payload.length;
      last = Number(entry.facts.n);
      await work.did(entry.payload.length);
    }
    const isFull = entries.length === count || room <= 0 || last === upTo;
    seq = isFull ? undefined : page.at(-1)?.seq;
  }
  return { entries, hasMore: last < upTo };
}

/** One entry as a brief sees it. */
export async function readBriefEntry(
  { store, codec }: EntrySource,
  ref: StreamRef,
  number: number,
): Promise<BriefEntry | undefined> {
  const seq = await seqBefore(store, ref, { after: number - 1, upTo: number });
  if (seq === undefined) return undefined;
  const [entry] = await store.read(ref, seq, { entries: 1, bytes: 0 });
  return entry && briefEntry(entry, codec);
}

/**
 * The sequence before the first wanted entry. Number n never has a sequence below n + 1, so the search begins there.
 */
export async function seqBefore(
  store: EntrySource['store'],
  ref: StreamRef,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<number | undefined> {
  for (let seq = after; after < upTo; ) {
    const heads = await store.load(ref, seq, HEADS_PAGE);
    const found = heads.find(({ type, facts }) => type === CONTEXT && Number(facts.n) > after);
    if (found) return found.seq - 1;
    const last = heads.at(-1);
    if (!last) return undefined;
    seq = last.seq;
  }
  return undefined;
}

function factsOf({ facts, actor, at }: Entry): Omit<ContextEntryView, 'content' | 'metadata'> {
  return {
    id: String(facts.entry_id),
    sequenceNumber: Number(facts.n),
    contextType: String(facts.context_type),
    author: actor,
    createdAt: at,
  };
}

/** As a brief sees it: with the notes that a handoff says apart, which readers have in the content. */
export function briefEntry(entry: Entry, codec: Codec): BriefEntry {
  const { sequenceNumber: number, createdAt: at, contextType, author } = factsOf(entry);
  return { number, at, contextType, author, ...parsePayload(storedPayload(entry, codec), codec) };
}

export function entryView(entry: Entry, codec: Codec): ContextEntryView {
  const { content, metadata } = parsePayload(storedPayload(entry, codec), codec);
  return { ...factsOf(entry), content, metadata };
}

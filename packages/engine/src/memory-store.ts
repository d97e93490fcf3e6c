/**
 * The store without a disk: for `MACP_MEMORY_ONLY=1`, tests and the simulation.
 *
 * M1. It passes the same contract suite as every store; what it stores lasts as long as the object.
 * M2. No clock, no randomness, no I/O: the same calls give the same answers.
 * M3. A batch is checked whole before anything is changed, so there is nothing to roll back.
 * M4. Returned values are never changed afterwards; entries are shared, not copied.
 */
import {
  type Entry,
  type EntryHead,
  FaultCode,
  HandoverError,
  type StreamRef,
  streamKey,
} from '@handover/core';
import { decimalCursor, readDecimalCursor } from './decimal-cursor.js';
import { headOnly } from './head-only.js';
import { createMemoryAgents } from './memory-agents.js';
import { createMemoryCredentials } from './memory-credentials.js';
import { createMemoryReceipts } from './memory-receipts.js';
import type { SharedStore } from './shared-store.js';
import {
  type CommitInput,
  type CommitOutcome,
  type CommitRequest,
  type Cursor,
  type DueQuery,
  type DueStream,
  type FeedItem,
  type ListedStream,
  type ListQuery,
  type Part,
  type ReadLimit,
  type SeenEntry,
  type Store,
  type StreamAppend,
  type StreamRow,
  seenKey,
  type UsageQuery,
} from './store.js';
import { compareUtf8 } from './utf8-order.js';

interface Stream {
  readonly ref: StreamRef;
  readonly createdPos: number;
  row: StreamRow;
  readonly heads: EntryHead[];
  readonly entries: Entry[];
  /** Message id to sequence. */
  readonly ids: Map<string, number>;
  /** Agent to roles. */
  readonly involved: Map<string, Set<string>>;
}

export function createMemoryStore(): Store {
  return createMemoryLog().open();
}

type OnStored = (appends: readonly StreamAppend[], by: SharedStore | undefined) => void;

export interface MemoryLog {
  /** Opens a store on this log. With `shared` others may be open on it at the same time, as nodes on one database. */
  open(shared?: SharedStore): Store;
  /** The last sequence of a stream; 0: no such stream. */
  lastSeq(ref: StreamRef): number;
  /** Tells what is stored, right after it was. */
  onStored(told: OnStored): void;
}

export function createMemoryLog(): MemoryLog {
  const streams = new Map<string, Stream>();
  /** Streams by tenant and kind, ordered by id, so that a list finds the start of a page without a scan. */
  const shelves = new Map<string, Stream[]>();
  const feed: FeedItem[] = [];
  const usage = new Map<string, number>();
  const listeners: OnStored[] = [];

  /** Only where others write can a caller lack anything. */
  function inputFor(request: CommitRequest, shared: SharedStore | undefined): CommitInput {
    const tails = new Map<string, readonly EntryHead[]>();
    if (shared)
      for (const { ref, known } of request.streams) {
        const tail = streams.get(streamKey(ref))?.heads.slice(known.seq) ?? [];
        if (tail.length > 0) tails.set(streamKey(ref), tail);
      }
    const now = shared && { now: shared.now() };
    return { ...now, tails, seen: lookUp(request, tails), skipped: new Set() };
  }

  function append(appends: readonly StreamAppend[], shared: SharedStore | undefined): CommitOutcome {
    if (!fits(appends)) return { kind: 'conflict', streams: appends.map(({ stream }) => streamKey(stream)) };
    const at = appends.flatMap(apply);
    for (const told of listeners) told(appends, shared);
    return { kind: 'stored', at: shared ? [] : at };
  }

  function lookUp(
    { messageIds }: CommitRequest,
    moved: ReadonlyMap<string, unknown>,
  ): Map<string, SeenEntry> {
    const seen = new Map<string, SeenEntry>();
    for (const { stream, messageId, ask } of messageIds) {
      const key = streamKey(stream);
      if (ask === 'ifMoved' && !moved.has(key)) continue;
      const found = streams.get(key);
      const at = found?.ids.get(messageId);
      const entry = at === undefined ? undefined : found?.entries[at - 1];
      if (entry) seen.set(seenKey(key, messageId), { ...headOnly(entry), salt: entry.salt });
    }
    return seen;
  }

  /** Whether every sequence continues its stream and every message id is new, within the batch as well. */
  function fits(appends: readonly StreamAppend[]): boolean {
    const heads = new Map<string, number>();
    const fresh = new Set<string>();
    for (const append of appends) {
      const key = streamKey(append.stream);
      const stream = streams.get(key);
      let head = heads.get(key) ?? stream?.heads.length ?? 0;
      if (head === 0 && append.entries.length === 0) return false;
      for (const { seq, messageId } of append.entries) {
        const id = seenKey(key, messageId);
        if (seq !== head + 1 || stream?.ids.has(messageId) || fresh.has(id)) return false;
        if (seq === 1 && !append.row) throw missingRow();
        fresh.add(id);
        head = seq;
      }
      heads.set(key, head);
    }
    return true;
  }

  function apply(append: StreamAppend): Cursor[] {
    const stream = streams.get(streamKey(append.stream)) ?? create(append);
    if (append.row) stream.row = append.row;
    for (const { agent, role } of append.involved) {
      const roles = stream.involved.get(agent);
      if (roles) roles.add(role);
      else stream.involved.set(agent, new Set([role]));
    }
    return append.entries.map((entry) => {
      const head = headOnly(entry);
      stream.heads.push(head);
      stream.entries.push(entry);
      stream.ids.set(entry.messageId, entry.seq);
      count(usageKey({ tenant: entry.stream.tenant }), entry.payload.length);
      count(usageKey({ tenant: entry.stream.tenant, actor: entry.actor }), entry.payload.length);
      const at = decimalCursor(feed.length + 1);
      feed.push({ at, entry: head });
      return at;
    });
  }

  function count(key: string, bytes: number): void {
    usage.set(key, (usage.get(key) ?? 0) + bytes);
  }

  function create({ stream: ref, row }: StreamAppend): Stream {
    if (!row) throw missingRow();
    const createdPos = feed.length + 1;
    const stream: Stream = {
      ref,
      createdPos,
      row,
      heads: [],
      entries: [],
      ids: new Map(),
      involved: new Map(),
    };
    streams.set(streamKey(ref), stream);
    const shelf = shelves.get(shelfKey(ref)) ?? [];
    shelves.set(shelfKey(ref), shelf);
    shelf.splice(firstAfter(shelf, ref.id), 0, stream);
    return stream;
  }

  function* listed(query: ListQuery): Generator<ListedStream> {
    const shelf = shelves.get(shelfKey(query)) ?? [];
    const start = query.afterId === undefined ? 0 : firstAfter(shelf, query.afterId);
    const upTo = query.createdUpTo === undefined ? feed.length : readDecimalCursor(query.createdUpTo);
    for (let i = start; i < shelf.length; i++) {
      const stream = shelf[i];
      if (!stream || stream.createdPos > upTo) continue;
      if (query.agent !== undefined && !involves(stream, query.agent, query.role)) continue;
      yield { ref: stream.ref, row: stream.row };
    }
  }

  function newest({ afterId, newestFirst, ...query }: ListQuery): readonly ListedStream[] {
    const before = afterId === undefined ? feed.length + 1 : createdPos({ ...query, id: afterId });
    return [...listed(query)]
      .filter(({ ref }) => ref.id.startsWith(newestFirst?.idPrefix ?? ''))
      .map((item) => ({ item, pos: createdPos(item.ref) }))
      .filter(({ pos }) => pos < before)
      .sort((a, b) => b.pos - a.pos)
      .map(({ item }) => item);
  }

  /** 0: there is no such stream, and none is older. */
  const createdPos = ({ tenant, kind, id }: StreamRef): number =>
    streams.get(streamKey({ tenant, kind, id }))?.createdPos ?? 0;

  function* involvedIn(tenant: string, parts?: readonly Part[]): Generator<string> {
    for (const { ref, involved } of streams.values()) {
      if (ref.tenant !== tenant) continue;
      for (const [agent, roles] of involved)
        if (parts?.some(({ kind, role }) => kind === ref.kind && roles.has(role)) ?? true) yield agent;
    }
  }

  const beside = {
    credentials: createMemoryCredentials(),
    receipts: createMemoryReceipts(),
    agents: createMemoryAgents(involvedIn),
  };

  function open(shared?: SharedStore): Store {
    let closed = false;

    function assertOpen(): void {
      if (closed)
        throw new HandoverError(FaultCode.SHUTTING_DOWN, 'the store is closed', { next: 'retryable' });
    }

    /** Reads answer asynchronously, as in every store. */
    async function answer<T>(read: () => T): Promise<T> {
      assertOpen();
      return read();
    }

    return {
      name: 'memory',
      credentials: guarded(beside.credentials, assertOpen),
      receipts: guarded(beside.receipts, assertOpen),
      agents: guarded(beside.agents, assertOpen),
      ...(shared && { shared }),
      commit: async (request, decide) => {
        assertOpen();
        return append(decide(inputFor(request, shared)), shared);
      },
      load: (ref, afterSeq, limit) =>
        answer(() => streams.get(streamKey(ref))?.heads.slice(afterSeq, afterSeq + limit) ?? []),
      read: (ref, afterSeq, limit) =>
        answer(() => withinLimit(streams.get(streamKey(ref))?.entries ?? [], afterSeq, limit)),
      heads: (refs) =>
        answer(() =>
          refs.map((ref) => {
            const last = streams.get(streamKey(ref))?.heads.at(-1);
            return last && { seq: last.seq, at: last.at };
          }),
        ),
      list: (query) => answer(() => take(query.newestFirst ? newest(query) : listed(query), query.limit)),
      count: (query) =>
        answer(() => {
          let n = 0;
          for (const { row } of listed({ ...query, limit: 0 })) if (row.state === query.state) n++;
          return n;
        }),
      feed: (after, limit) =>
        answer(() => {
          const from = readDecimalCursor(after);
          return feed.slice(from, from + limit);
        }),
      position: () => answer(() => decimalCursor(feed.length)),
      behind: (of) => answer(() => Math.max(0, feed.length - readDecimalCursor(of))),
      due: (query) => answer(() => dueStreams(streams, query)),
      usage: (query) => answer(() => usage.get(usageKey(query)) ?? 0),
      close: async () => {
        closed = true;
      },
    };
  }

  return {
    open,
    lastSeq: (ref) => streams.get(streamKey(ref))?.heads.length ?? 0,
    onStored: (told) => void listeners.push(told),
  };
}

/** The same verbs, asked only while the store is open. */
function guarded<Verbs extends object>(verbs: Verbs, assertOpen: () => void): Verbs {
  return new Proxy(verbs, {
    get(target, name, receiver) {
      assertOpen();
      return Reflect.get(target, name, receiver);
    },
  });
}

function dueStreams(streams: ReadonlyMap<string, Stream>, query: DueQuery): DueStream[] {
  const { upTo, limit, kind, after } = query;
  const found: { ref: StreamRef; due: number; createdPos: number }[] = [];
  for (const { ref, row, createdPos } of streams.values())
    if (row.due !== null && row.due <= upTo && (kind === undefined || ref.kind === kind))
      found.push({ ref, due: row.due, createdPos });
  found.sort((a, b) => a.due - b.due || a.createdPos - b.createdPos);
  const last = after && (streams.get(streamKey(after.ref))?.createdPos ?? 0);
  const isNext = ({ due, createdPos }: { due: number; createdPos: number }): boolean =>
    after === undefined || last === undefined || due > after.due || (due === after.due && createdPos > last);
  return found
    .filter(isNext)
    .slice(0, limit)
    .map(({ ref, due }) => ({ ref, due }));
}

function withinLimit(entries: readonly Entry[], afterSeq: number, limit: ReadLimit): Entry[] {
  const found: Entry[] = [];
  let bytes = 0;
  for (let i = afterSeq; i < entries.length && found.length < limit.entries && bytes <= limit.bytes; i++) {
    const entry = entries[i];
    if (!entry) break;
    found.push(entry);
    bytes += entry.payload.length;
  }
  return found;
}

function take<T>(items: Iterable<T>, limit: number): T[] {
  const taken: T[] = [];
  if (limit <= 0) return taken;
  for (const item of items) if (taken.push(item) >= limit) break;
  return taken;
}

function involves(stream: Stream, agent: string, role: string | undefined): boolean {
  const roles = stream.involved.get(agent);
  return roles !== undefined && (role === undefined || roles.has(role));
}

/** Unambiguous whatever the names hold. */
function usageKey({ tenant, actor }: UsageQuery): string {
  return actor === undefined ? `all of ${tenant}` : `${tenant.length} ${tenant}${actor}`;
}

function shelfKey(of: { readonly tenant: string; readonly kind: string }): string {
  return `${of.tenant}\n${of.kind}`;
}

/** Index of the first stream whose id is greater. */
function firstAfter(shelf: readonly Stream[], id: string): number {
  let low = 0;
  let high = shelf.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = shelf[middle];
    if (other && compareUtf8(other.ref.id, id) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function missingRow(): HandoverError {
  return new HandoverError(FaultCode.INTERNAL, 'the first append of a stream must carry its row');
}

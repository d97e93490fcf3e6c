/**
 * The store port. One log, appended in batches; every store (memory, SQLite, PostgreSQL) passes the one contract
 * suite in store-contract.ts.
 *
 * S1. `commit` stores all appends of a batch or none of them.
 * S2. `stored` means durable: it survives the loss of power. `notStored` means certainly absent. Anything else throws
 *     HandoverError UNKNOWN_OUTCOME, and the process must not decide anything more from the state that it holds.
 * S3. (stream, seq) and (stream, messageId) are unique; seq is dense from 1.
 * S4. Every entry has a place in one feed. A reader of the feed up to `position()` never misses a later insert.
 * S5. `decide` is called at most once per attempt, synchronously. It is given the entries that the caller lacks up to
 *     the head of each named stream.
 * S6. Reads return durable data only. Drivers do not interpret facts or payloads.
 * S7. A store without `shared` has one writer, this process: its `tails` and `skipped` are empty, and it never answers
 *     `conflict` to a batch that continues what it holds. A store with `shared` may have several (see shared-store.ts).
 * S8. The feed keeps each stream's order, keeps a batch together and skips nothing. Different readers may see entries
 *     that different nodes wrote at the same time in a different order.
 * S9. Places in the feed are neither dense nor numbers: code above the store never compares, adds to or parses a
 *     cursor. A cursor past the end counts as the end; the store refuses one that it cannot read (see cursor.ts).
 * S10. `usage` is exact: it counts every payload that is stored when it is asked, and nothing else. The count is written
 *     with the entries, so a crash cannot part them. What removes a payload takes its bytes off in the same write.
 * S11. After `notStored` the batch can never appear, not even late.
 */
import type { ChainHead, Entry, EntryHead, StreamKind, StreamRef } from '@handover/core';
import type { SharedStore } from './shared-store.js';

/**
 * A place in the feed: right after an entry, or before all of them. It may be kept as text for as long as the data
 * exists: in bookmarks, and in marks that clients keep.
 */
export type Cursor = string & { readonly brand: 'Cursor' };

/** What lists show of a stream; written with the entries, only when a value changed. */
export interface StreamRow {
  /** A short word such as OPEN; lists may filter on it. */
  readonly state: string;
  /** When the next tick is due, or null. */
  readonly due: number | null;
  readonly createdAt: number;
  /** Canonical JSON that a door turns into its list item. */
  readonly summary: string;
}

export interface Involvement {
  readonly agent: string;
  readonly role: string;
}

export interface StreamAppend {
  readonly stream: StreamRef;
  readonly entries: readonly Entry[];
  /** Present with the first entry of a stream and whenever a listed value changed. */
  readonly row?: StreamRow;
  /** Newly involved agents only; repeating a known pair is harmless. */
  readonly involved: readonly Involvement[];
}

export interface AskedStream {
  readonly ref: StreamRef;
  /** The head that the caller knows; seq 0: none. */
  readonly known: ChainHead;
  /** `read`: the decision consults it and never appends to it. */
  readonly access: 'write' | 'read';
  /** It was busy elsewhere several times: wait for it, for a bounded time, rather than skip it. */
  readonly wait?: boolean;
}

export interface AskedMessage {
  readonly stream: StreamRef;
  readonly messageId: string;
  /** `ifMoved`: the caller knows all ids up to the known head; look only if the stream has moved on since. */
  readonly ask: 'always' | 'ifMoved';
}

export interface CommitRequest {
  /** Every stream that the batch may read or write, each once. */
  readonly streams: readonly AskedStream[];
  /** Message ids that may have been used before: the store looks them up. */
  readonly messageIds: readonly AskedMessage[];
}

export interface CommitInput {
  /** The store's clock, read after its locks; absent: the caller's own clock counts. */
  readonly now?: number;
  /** Entries beyond the known heads, by streamKey (another node wrote them). */
  readonly tails: ReadonlyMap<string, readonly EntryHead[]>;
  /** The entries found for the asked message ids, by seenKey; the salt serves to compare payloads. */
  readonly seen: ReadonlyMap<string, SeenEntry>;
  /** Streams (by streamKey) that are busy elsewhere and may not be written in this batch. */
  readonly skipped: ReadonlySet<string>;
}

export type SeenEntry = EntryHead & { readonly salt: Uint8Array };

export function seenKey(streamKey: string, messageId: string): string {
  return `${streamKey}\n${messageId}`;
}

export type CommitOutcome =
  | {
      readonly kind: 'stored';
      /** The cursor after each entry, in the order of the appends. Empty where other nodes write, too. */
      readonly at: readonly Cursor[];
    }
  /** Somebody else wrote. Reload the streams (by streamKey) that are named, and decide again. Empty: all of the batch. */
  | { readonly kind: 'conflict'; readonly streams: readonly string[] }
  | {
      readonly kind: 'notStored';
      readonly reason: string;
      /** The way to the store was lost, and is there again: the same batch may be tried once more. */
      readonly again?: boolean;
    };

export interface ListQuery<K extends StreamKind = StreamKind> {
  readonly tenant: string;
  readonly kind: K;
  /** Only streams in which this agent is involved; absent: all of the tenant. */
  readonly agent?: string;
  readonly role?: string;
  /** For paging: only streams whose id is greater, compared bytewise. */
  readonly afterId?: string;
  /** Only streams whose first entry stands before this cursor. */
  readonly createdUpTo?: Cursor;
  readonly limit: number;
  /**
   * Of one agent in one role: those created last come first, and `afterId` asks for those created before that stream.
   * The cost depends on the limit, not on how many streams there are.
   */
  readonly newestFirst?: { readonly idPrefix: string };
}

export interface CountQuery {
  readonly tenant: string;
  readonly kind: StreamKind;
  readonly agent: string;
  readonly role: string;
  readonly state: string;
}

export interface ListedStream<K extends StreamKind = StreamKind> {
  readonly ref: StreamRef<K>;
  readonly row: StreamRow;
}

export interface DueStream {
  readonly ref: StreamRef;
  readonly due: number;
}

export interface DueQuery {
  /** Only streams that are due at or before this time. */
  readonly upTo: number;
  readonly limit: number;
  /** Only streams of this kind. */
  readonly kind?: StreamKind;
  /** For paging: only what comes after this stream, as it was listed. It may have another due time by now. */
  readonly after?: DueStream;
}

export interface UsageQuery {
  readonly tenant: string;
  /** Only payloads of entries in the name of this actor; absent: all of the tenant. */
  readonly actor?: string;
}

export interface FeedItem {
  /** The cursor after this item. */
  readonly at: Cursor;
  readonly entry: EntryHead;
}

export interface ReadLimit {
  readonly entries: number;
  /** Stop after the entry that passes this many payload bytes; at least one entry is returned. */
  readonly bytes: number;
}

/**
 * A bearer secret that was handed out for one stream. The log holds no secrets: only this table does, as hashes.
 */
export interface CredentialRecord {
  readonly stream: StreamRef;
  /** Keyed hash of the secret, lowercase hex. */
  readonly hash: string;
  /** What its holder may do, in words that the issuer defines. */
  readonly rights: string;
  /** When the row may be removed. */
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** Bytes that only the holder of the secret can read; null: none, or erased. */
  readonly sealed: Uint8Array | null;
}

/** Not part of the log: rows are changed and removed. Every write is durable when it resolves. */
export interface CredentialStore {
  put(record: CredentialRecord): Promise<void>;
  /** Unless the stream has so many with the same rights; whether it was put. Of several at once none is one too many. */
  putWithin(record: CredentialRecord, most: number): Promise<boolean>;
  /** Removes one credential, as if it had never been put. */
  remove(stream: StreamRef, hash: string): Promise<void>;
  /** All credentials of a stream id, in any tenant: a caller that presents a secret has no tenant yet. */
  find(kind: StreamKind, id: string): Promise<readonly CredentialRecord[]>;
  /** Revokes all credentials of a stream and erases their sealed bytes. */
  revoke(stream: StreamRef): Promise<void>;
  /** Erases the sealed bytes and keeps the rest, so that the secret still shows its holder how the stream ended. */
  erase(stream: StreamRef): Promise<void>;
  /** Removes expired credentials and returns how many they were. */
  purge(upTo: number): Promise<number>;
}

/**
 * Receipts that were made of streams, kept as the texts that were given out: whoever asks again gets the same bytes, also
 * under another key. Not part of the log. Every write is durable when it resolves.
 */
export interface ReceiptStore {
  /** Keeps the text unless there is one already; returns the one that counts. */
  put(stream: StreamRef, format: string, text: string): Promise<string>;
  find(stream: StreamRef, format: string): Promise<string | undefined>;
  /** Removes all of a stream, with which they go. */
  remove(stream: StreamRef): Promise<void>;
}

/** What is known of an agent beside the log: when it was here. No right follows from it. */
export interface SeenAgent {
  readonly agent: string;
  /** Null: it took part in something, but never came itself. */
  readonly lastSeenAt: number | null;
}

export interface AgentRecord extends SeenAgent {
  readonly firstSeenAt: number;
  /** When it was last shown all that waits for it, by project; empty: in all of them. */
  readonly looks: Readonly<Record<string, number>>;
  /** When its program last said that it is at work, by project; empty: in none. */
  readonly heartbeats: Readonly<Record<string, number>>;
}

/** A sign of an agent. */
export interface AgentSign {
  readonly tenant: string;
  readonly agent: string;
  readonly at: number;
  /** It was shown what waits for it in this project; empty: in all of them. */
  readonly lookIn?: string;
  /** Its program is at work in this project. */
  readonly heartbeatIn?: string;
}

/**
 * How much is kept of agents. Whoever says a new name each time pushes out the oldest, and nothing grows for ever. What is
 * counted in all may pass its limit by a tenth before the oldest go.
 */
export interface AgentLimits {
  readonly agents: number;
  /** Looks, and heartbeats, of one agent. */
  readonly projectsOfAgent: number;
  /** Looks, and heartbeats, of all agents. */
  readonly projects: number;
}

export const AGENT_LIMITS: AgentLimits = { agents: 10_000, projectsOfAgent: 64, projects: 20_000 };

/** Not part of the log. Times never go back. Within `AGENT_LIMITS`; with an agent go its looks and heartbeats. */
export interface AgentStore {
  note(sign: AgentSign): Promise<void>;
  find(tenant: string, agent: string): Promise<AgentRecord | undefined>;
  /**
   * Those who were here last come first; after them, by name, those who were not and have one of these parts in a stream.
   * Without parts: any. Of very many names in the log, only the first are looked at for a part.
   */
  list(tenant: string, limit: number, parts?: readonly Part[]): Promise<readonly SeenAgent[]>;
}

/** What an agent is to streams of a kind. */
export interface Part {
  readonly kind: StreamKind;
  readonly role: string;
}

/** Where a stream ends. */
export interface StreamHead {
  readonly seq: number;
  readonly at: number;
}

export interface Store {
  readonly credentials: CredentialStore;
  readonly receipts: ReceiptStore;
  readonly agents: AgentStore;
  /** For the ready line and logs: `sqlite`, `memory`, `postgres`. */
  readonly name: string;
  commit(
    request: CommitRequest,
    decide: (input: CommitInput) => readonly StreamAppend[],
  ): Promise<CommitOutcome>;
  /** Heads and facts after a sequence, in order, at most `limit`. Empty: no such stream, or its end. */
  load(ref: StreamRef, afterSeq: number, limit: number): Promise<readonly EntryHead[]>;
  /** Whole entries after a sequence, in order. */
  read(ref: StreamRef, afterSeq: number, limit: ReadLimit): Promise<readonly Entry[]>;
  /** The last entry of each stream, in the order of the refs; undefined: no such stream. */
  heads(refs: readonly StreamRef[]): Promise<readonly (StreamHead | undefined)[]>;
  /** By id ascending, bytewise, unless the query wants the newest first. */
  list(query: ListQuery): Promise<readonly ListedStream[]>;
  /** How many of an agent's streams are in a state. */
  count(query: {
    tenant: string;
    kind: StreamKind;
    agent: string;
    role: string;
    state: string;
  }): Promise<number>;
  /** Heads and facts in commit order, after a cursor. */
  feed(after: Cursor, limit: number): Promise<readonly FeedItem[]>;
  /** The end of the feed. No entry is inserted before it later (S4). */
  position(): Promise<Cursor>;
  /**
   * How many entries come after a cursor. 0 is exact: none. A store whose feed has gaps may count the gaps, too. It may
   * stop counting at 100,000; below that it never returns fewer than there are.
   */
  behind(of: Cursor): Promise<number>;
  /** Streams whose row says that they are due, earliest first, those of one time in order of creation. */
  due(query: DueQuery): Promise<readonly DueStream[]>;
  /** How many bytes of payload are stored. It does not read the log, so it may be asked before every command. */
  usage(query: UsageQuery): Promise<number>;
  /** Why nothing can be stored now, as far as that is known without trying; undefined: nothing stands against it. */
  refusal?(): Promise<string | undefined>;
  /** Present when several processes write to this store. */
  readonly shared?: SharedStore;
  close(): Promise<void>;
}

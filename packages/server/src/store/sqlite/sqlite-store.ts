/**
 * The embedded store: SQLite behind the store port.
 *
 * Q1. One writer thread and one reader thread, one connection each, for the life of the process; the folder is locked.
 * Q2. Commits run one after another: `decide` is called when everything before it is settled, so this process is always
 *     at the head and there are neither tails nor skipped streams.
 * Q3. An unknown outcome is fatal: `onFatal` is told once, and from then on every call is refused.
 */
import { FaultCode, HandoverError, streamKey } from '@handover/core';
import {
  type CommitOutcome,
  type CommitRequest,
  decimalCursor,
  readDecimalCursor,
  type SeenEntry,
  type Store,
  seenKey,
} from '@handover/engine';
import { createAgentVerbs } from './agents.js';
import { createCredentialVerbs } from './credentials.js';
import { prepareDataFolder } from './data-folder.js';
import { createDiskFloor, type DiskFloor } from './disk-floor.js';
import { packAppends, packQuestions, packUsage, unpackHead } from './messages.js';
import { Unpacker } from './pack.js';
import type { Request } from './protocol.js';
import { createReadVerbs } from './read-verbs.js';
import { createReceiptVerbs } from './receipts.js';
import { startThread, type Thread } from './thread.js';
import { createUsageCache } from './usage-cache.js';
import type { CommitReply } from './writer.js';

const DEFAULT_DISK_FLOOR = 64 * 1024 * 1024;

export interface SqliteOptions {
  readonly directory: string;
  readonly diskFloorBytes?: number;
  /** Called at most once; the process should end. */
  readonly onFatal?: (error: HandoverError) => void;
}

/** What the store is put together from; tests give threads of their own. */
export interface SqliteParts {
  readonly writer: Thread;
  readonly reader: Thread;
  readonly position: number;
  readonly floor: DiskFloor;
  readonly onFatal?: ((error: HandoverError) => void) | undefined;
}

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const folder = await prepareDataFolder(options.directory);
  let store: SqliteStore | undefined;
  const died = (error: HandoverError) => store?.fail(error);
  const { thread: writer, position } = await startThread({ role: 'writer', folder }, died);
  try {
    const { thread: reader } = await startThread({ role: 'reader', folder }, died);
    const floor = createDiskFloor(folder.directory, options.diskFloorBytes ?? DEFAULT_DISK_FLOOR);
    store = createSqliteStore({ writer, reader, position, floor, onFatal: options.onFatal });
    return store;
  } catch (thrown) {
    await writer.close();
    throw thrown;
  }
}

export interface SqliteStore extends Store {
  fail(error: HandoverError): HandoverError;
}

export function createSqliteStore({ writer, reader, floor, onFatal, ...parts }: SqliteParts): SqliteStore {
  let position = parts.position;
  const usage = createUsageCache(async (query) =>
    Number(await writer.call({ verb: 'usage', packed: packUsage(query) })),
  );
  let queue: Promise<unknown> = Promise.resolve();
  let refusal: HandoverError | undefined;
  let fatal = false;
  let closing: Promise<void> | undefined;

  function fail(error: HandoverError): HandoverError {
    if (fatal) return error;
    fatal = true;
    refusal = error;
    onFatal?.(error);
    return error;
  }

  function usable(): void {
    if (refusal) throw refusal;
  }

  /** Serialises commits; a failed one does not hold up the next. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  }

  async function commit(...[request, decide]: Parameters<Store['commit']>): Promise<CommitOutcome> {
    usable();
    return inTurn(async () => {
      if (fatal) usable();
      const appends = decide({ tails: new Map(), seen: await lookUp(request), skipped: new Set() });
      if (appends.length === 0) return { kind: 'stored', at: [] };
      for (const { entries, row } of appends) if (entries[0]?.seq === 1 && !row) throw missingRow();
      const low = await floor();
      if (low !== undefined) return { kind: 'notStored', reason: low };
      const reply = (await writer.call({ verb: 'commit', packed: packAppends(appends) })) as CommitReply;
      if (reply.kind === 'unknown') throw fail(unknown(reply.reason));
      if (reply.kind !== 'stored') return reply;
      const count = appends.reduce((sum, { entries }) => sum + entries.length, 0);
      position = reply.first + count - 1;
      usage.stored(appends);
      return { kind: 'stored', at: Array.from({ length: count }, (_, i) => decimalCursor(reply.first + i)) };
    });
  }

  async function lookUp({ messageIds }: CommitRequest): Promise<Map<string, SeenEntry>> {
    const seen = new Map<string, SeenEntry>();
    if (messageIds.length === 0) return seen;
    const u = new Unpacker(
      (await writer.call({ verb: 'seen', packed: packQuestions(messageIds) })) as Uint8Array,
    );
    while (!u.done) {
      const asked = messageIds[u.number()];
      if (!asked) break;
      const entry = { ...unpackHead(u, asked.stream), salt: u.bytes() };
      seen.set(seenKey(streamKey(asked.stream), asked.messageId), entry);
    }
    return seen;
  }

  /** A change of a table beside the log. */
  async function write(request: Request): Promise<unknown> {
    usable();
    return writer.call(request);
  }

  async function look(request: Request): Promise<unknown> {
    usable();
    return reader.call(request);
  }

  async function shut(): Promise<void> {
    await queue;
    if (fatal) await Promise.all([reader.kill(), writer.kill()]);
    else {
      await reader.close();
      await writer.close();
    }
  }

  return {
    name: 'sqlite',
    commit,
    credentials: createCredentialVerbs(write, look),
    receipts: createReceiptVerbs(write, look),
    agents: createAgentVerbs(write, look),
    ...createReadVerbs(async (request) => {
      usable();
      return (await reader.call(request)) as Uint8Array;
    }),
    async usage(query) {
      usable();
      return usage.of(query);
    },
    async position() {
      usable();
      return decimalCursor(position);
    },
    async behind(of) {
      usable();
      return Math.max(0, position - readDecimalCursor(of));
    },
    refusal: floor,
    close() {
      refusal ??= new HandoverError(FaultCode.SHUTTING_DOWN, 'the store is closed', { next: 'retryable' });
      closing ??= shut();
      return closing;
    },
    fail,
  };
}

function unknown(reason: string): HandoverError {
  return new HandoverError(
    FaultCode.UNKNOWN_OUTCOME,
    `it is not known whether the batch was stored: ${reason}`,
    {
      next: 'fatal',
    },
  );
}

function missingRow(): HandoverError {
  return new HandoverError(FaultCode.INTERNAL, 'the first append of a stream must carry its row');
}

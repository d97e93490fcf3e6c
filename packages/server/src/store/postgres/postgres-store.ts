/**
 * PostgreSQL behind the store port, for one node or several on the same database.
 *
 * One connection writes, in a lane of this node (commits.ts, lane.ts); a few others read. The state of the log is in the
 * database alone: a node may die at any moment, and any other goes on with its streams.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { FaultCode, HandoverError, type StreamRef } from '@handover/core';
import type { AgentLimits, SharedStore, Store } from '@handover/engine';
import { createAgents } from './agents.js';
import { Commits } from './commits.js';
import { CannotConnect, Connection } from './connection.js';
import { createCredentials } from './credentials.js';
import { Lost, messageOf, refused } from './errors.js';
import { createFeed } from './feed.js';
import { WritingLane } from './lane.js';
import { createLists } from './lists.js';
import { CLOCK } from './locks.js';
import { Membership } from './membership.js';
import { StoreNews } from './news.js';
import { Pool } from './pool.js';
import { createReads, headsOf } from './reads.js';
import { createReceipts } from './receipts.js';
import { integer } from './rows.js';
import { migrate } from './schema.js';
import { StreamIds } from './stream-ids.js';
import { markUse } from './use-mark.js';

/** Reads, what is beside the log, and the look at the lanes. With the writer's one it makes six. */
const CONNECTIONS = 5;
/** A server that starts together with this process is waited for. */
const START_MS = 15_000;

export interface PostgresOptions {
  /** postgresql://user:password@host:port/database, as every program of PostgreSQL takes it. */
  readonly url: string;
  /** Dev mode, where any name is an agent, does not join a database that was used with real credentials. */
  readonly use?: 'dev' | 'credentials' | 'local';
  /** For the list of nodes. */
  readonly version?: string;
  /** Called at most once; the process should end. */
  readonly onFatal?: (error: HandoverError) => void;
  readonly log?: PostgresLog;
  readonly now?: () => number;
  /** Tests ask for a server that is not there yet, and for less patience. */
  readonly oldestServer?: number;
  readonly startMs?: number;
  readonly agentLimits?: AgentLimits;
  /** In place of the database's: tests move the time themselves. */
  readonly clock?: () => number;
}

export interface PostgresLog {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
  info(event: string, fields: Readonly<Record<string, unknown>>): void;
}

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, log, now = Date.now, onFatal } = options;
  const me = `${hostname().slice(0, 40)}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const connect = () =>
    Connection.open({
      url,
      name: `handover/${me}`,
      ...(options.oldestServer !== undefined && { oldestServer: options.oldestServer }),
    });
  await prepare(connect, options.startMs ?? START_MS, options.use);

  const ids = new StreamIds();
  const pool = new Pool(connect, CONNECTIONS);
  const news = new StoreNews(pool);
  let offset = 0;
  let away: string | undefined;
  let refusal: HandoverError | undefined;
  const onClock = (at: number): void => {
    offset = at - now();
  };
  const lane = new WritingLane({
    me,
    connect,
    onLost: (why) => {
      away = `the database cannot be reached: ${why}`;
      log?.warn('store.lost', { message: away });
    },
    onBack: () => {
      away = undefined;
      log?.info('store.back', {});
    },
  });
  const membership = new Membership(pool, me, options.version ?? '', () => lane.state);
  const commits = new Commits({
    lane,
    ids,
    onClock,
    ...(options.clock && { clock: options.clock }),
    onStored: (...numbers) => news.stored(...numbers),
    onFatal: (fault) => {
      if (refusal) return;
      refusal = fault;
      onFatal?.(fault);
    },
  });
  try {
    await lane.ready(options.startMs ?? START_MS);
    await membership.start();
    await news.start();
    onClock(await clockOf(pool));
  } catch (thrown) {
    await Promise.all([news.close(), membership.close()]);
    await Promise.all([lane.close(), pool.close()]);
    throw startFault(thrown);
  }

  function usable(): void {
    if (refusal) throw refusal;
  }

  const shared: SharedStore = {
    async heads(refs: readonly StreamRef[]) {
      usable();
      const { heads, also } = await headsOf(pool, refs, [CLOCK]);
      const at = integer(also[0] === null ? null : String(also[0]));
      onClock(at);
      return { now: options.clock?.() ?? at, seqs: heads.map((head) => head?.seq ?? 0) };
    },
    moved: (told) => news.listen(told),
    members: () => membership.members(),
    now: options.clock ?? (() => now() + offset),
  };

  let closing: Promise<void> | undefined;
  async function shut(): Promise<void> {
    await commits.idle();
    await news.close();
    await membership.close();
    await Promise.all([lane.close(), pool.close()]);
  }

  return {
    name: 'postgres',
    shared,
    commit: async (request, decide) => {
      usable();
      return commits.commit(request, decide, () => {
        if (refusal && refusal.code !== FaultCode.SHUTTING_DOWN) throw refusal;
      });
    },
    credentials: guarded(createCredentials(pool), usable),
    receipts: guarded(createReceipts(pool), usable),
    agents: guarded(createAgents(pool, options.agentLimits), usable),
    ...guarded({ ...createReads(pool), ...createLists(pool), ...createFeed(pool) }, usable),
    refusal: async () => away,
    close() {
      refusal ??= new HandoverError(FaultCode.SHUTTING_DOWN, 'the store is closed', { next: 'retryable' });
      closing ??= shut();
      return closing;
    },
  };
}

/** Brings the schema up to date, on a connection that is used for nothing else. */
async function prepare(
  connect: () => Promise<Connection>,
  withinMs: number,
  use: PostgresOptions['use'],
): Promise<void> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      const connection = await connect();
      try {
        await migrate(connection);
        return await markUse(connection, use);
      } finally {
        await connection.end();
      }
    } catch (thrown) {
      const startsUp = thrown instanceof CannotConnect && isStarting(thrown.cause);
      if ((!startsUp && !(thrown instanceof Lost)) || Date.now() > until) throw startFault(thrown);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function isStarting(cause: unknown): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === '57P03';
}

function startFault(thrown: unknown): unknown {
  if (thrown instanceof HandoverError) return thrown;
  if (thrown instanceof CannotConnect) return refused(thrown.sentence);
  return refused(`the database cannot be used: ${messageOf(thrown)}`);
}

async function clockOf(pool: Pool): Promise<number> {
  const [done] = await pool.read([CLOCK]);
  return integer(done?.rows[0]?.[0]);
}

/** The same verbs, asked only while the store is usable. */
function guarded<Verbs extends object>(verbs: Verbs, usable: () => void): Verbs {
  return Object.fromEntries(
    Object.entries(verbs as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>).map(
      ([name, verb]) => [
        name,
        async (...given: unknown[]) => {
          usable();
          return verb(...given);
        },
      ],
    ),
  ) as unknown as Verbs;
}

/** Connections that are lost around COMMIT: what is answered is true, whatever became of the flush. */
import { StreamKind } from '@handover/core';
import type { CommitOutcome, Store } from '@handover/engine';
import { append, chain, entryOf, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../packages/server/src/store/postgres/index.js';
import { freshSchema, ownPostgres } from '../kit/postgres/fresh.js';
import { type Fault, PostgresProxy } from '../kit/postgres/proxy.js';
import { until } from '../kit/until.js';

const FAULTS: readonly Fault[] = ['before', 'at', 'answer', 'late'];
const ROUNDS = 12;
const a = streamRef('a');

describe('a connection that is lost', () => {
  let direct: string;
  let proxy: PostgresProxy;
  let store: Store;
  let beside: Store;
  beforeEach(async () => {
    direct = await freshSchema('own');
    proxy = await PostgresProxy.start((await ownPostgres()).socketFolder);
    store = await openPostgresStore({ url: proxy.url(direct) });
    beside = await openPostgresStore({ url: direct });
  });
  afterEach(async () => {
    await Promise.all([store.close(), beside.close()]);
    await proxy.stop();
  });

  const attempt = (seq: number): Promise<CommitOutcome> =>
    store.commit(
      { streams: [{ ref: a, known: { seq: seq - 1, at: 0, hash: '' }, access: 'write' }], messageIds: [] },
      () => [append(a, chain(a, seq, seq))],
    );
  /** The server may still hold what the lost connection had locked, for a moment. */
  async function attemptAgain(seq: number): Promise<CommitOutcome> {
    let outcome = await attempt(seq);
    await until(async () => {
      if (outcome.kind === 'conflict') outcome = await attempt(seq);
      return outcome.kind !== 'conflict';
    });
    return outcome;
  }
  const length = async () => (await beside.load(a, 0, 10_000)).length;

  it.each(FAULTS)('%s: the batch is stored once if it is answered so, and never otherwise', async (fault) => {
    let seq = 0;
    for (let round = 0; round < ROUNDS; round++) {
      proxy.next(fault);
      const outcome = await attempt(seq + 1);
      const found = await length();
      if (fault === 'late') await proxy.release();
      if (outcome.kind === 'stored') seq++;
      else expect(outcome).toMatchObject({ kind: 'notStored', again: true });
      expect(found).toBe(seq);
      // What came late changed nothing.
      expect(await length()).toBe(seq);
      // Another try is stored, now or at once.
      if (outcome.kind !== 'stored') expect(await attemptAgain(++seq)).toMatchObject({ kind: 'stored' });
    }
    expect(proxy.done).toBe(ROUNDS);
    if (fault === 'answer') expect(seq).toBe(ROUNDS);
    const feed = await beside.feed(await Promise.resolve('' as never), 1_000);
    expect(feed.map(({ entry }) => entry.seq)).toEqual(Array.from({ length: seq }, (_, i) => i + 1));
  });

  it('of which nothing is heard any more: it is given up, and the outcome is found out', async () => {
    await storeAll(store, append(a, chain(a, 1, 1)));
    proxy.next('silence');
    expect(await attempt(2)).toMatchObject({ kind: 'notStored', again: true });
    expect((await attempt(2)).kind).toBe('stored');
    expect(await length()).toBe(2);
  });

  it('whose outcome cannot be found out is told so, and as news when it was stored', async () => {
    await storeAll(store, append(a, chain(a, 1, 1)));
    const heard: number[] = [];
    store.shared?.moved((streams) => heard.push(...streams.map(({ seq }) => seq)));
    proxy.next('answer');
    const asked = attempt(2);
    await until(() => proxy.done === 1);
    proxy.down();
    await expect(asked).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME', next: 'retryable' });
    await expect(store.load(a, 0, 1)).rejects.toMatchObject({ code: 'OVERLOADED', next: 'retryable' });
    expect(await store.refusal?.()).toContain('the database cannot be reached');
    proxy.up();
    await until(() => heard.includes(2));
    expect(await length()).toBe(2);
    expect((await attempt(3)).kind).toBe('stored');
    expect(await store.refusal?.()).toBeUndefined();
  });

  it('stores nothing while the database is away, says why, and goes on when it is back', async () => {
    await storeAll(store, append(a, chain(a, 1, 1)));
    proxy.down();
    const outcome = await attempt(2);
    expect(outcome).toMatchObject({ kind: 'notStored', reason: expect.stringContaining('PostgreSQL') });
    proxy.up();
    expect((await attempt(2)).kind).toBe('stored');
    expect(await length()).toBe(2);
  });

  it('with a lease that ran out: the other writer has the lane, and nothing is written into it', async () => {
    await storeAll(store, append(a, chain(a, 1, 2)));
    const server = await ownPostgres();
    const schema = /search_path%3D(\w+)/.exec(direct)?.[1];
    await server.sql(`UPDATE ${schema}.lanes SET until = now() - interval '1 second' WHERE lane = 1`);
    const third = await openPostgresStore({ url: direct });
    try {
      const b = streamRef('b');
      await storeAll(third, append(b, chain(b, 1, 1)));
      const lost = await attempt(3);
      expect(lost).toEqual({ kind: 'conflict', streams: [] });
      expect((await attempt(3)).kind).toBe('stored');
      const lanes = await server.sql(`SELECT lane, n::int FROM ${schema}.lanes ORDER BY lane`);
      expect(lanes).toEqual([
        { lane: 1, n: 3 },
        { lane: 2, n: 0 },
        { lane: 3, n: 1 },
      ]);
    } finally {
      await third.close();
    }
  });

  it('to a database that lost what it had acknowledged: the server ends, and says what is missing', async () => {
    const fatal: string[] = [];
    const strict = await openPostgresStore({ url: direct, onFatal: (fault) => fatal.push(fault.message) });
    const b = streamRef('b');
    await storeAll(strict, append(b, chain(b, 1, 3)));
    const server = await ownPostgres();
    const schema = /search_path%3D(\w+)/.exec(direct)?.[1];
    await server.sql(`UPDATE ${schema}.lanes SET n = 1 WHERE n = 3`);
    await server.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'handover/%'`,
    );
    const next = () =>
      strict.commit(
        { streams: [{ ref: b, known: { seq: 3, at: 0, hash: '' }, access: 'write' }], messageIds: [] },
        () => [append(b, chain(b, 4, 4))],
      );
    await expect(next()).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME', next: 'fatal' });
    expect(fatal).toEqual([
      expect.stringMatching(/has lost acknowledged entries: lane 3 ended at 3, and now at 1/),
    ]);
    await expect(next()).rejects.toMatchObject({ next: 'fatal' });
    await strict.close();
  });

  it('a server that is killed and comes back: nothing acknowledged is missing', async () => {
    const server = await ownPostgres();
    let stored = 0;
    for (let kill = 0; kill < 3; kill++) {
      for (let i = 0; i < 20; i++) {
        const outcome = await attempt(stored + 1);
        expect(outcome.kind).toBe('stored');
        stored++;
      }
      await Promise.all([server.kill(), attempt(stored + 1).catch(() => undefined)]);
      await server.start();
      // Nobody knows of the last one; what is there is asked.
      stored = await until(length, (seen) => seen >= stored);
    }
    const entries = await beside.load(a, 0, 10_000);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: stored }, (_, i) => i + 1));
  });
});

describe('a stream that another node holds', () => {
  it('is skipped, then waited for, and never decided on', async () => {
    const url = await freshSchema('own');
    const store = await openPostgresStore({ url });
    const server = await ownPostgres();
    const schema = /search_path%3D(\w+)/.exec(url)?.[1] ?? '';
    const [one, two] = [streamRef('one'), streamRef('two')];
    await storeAll(store, append(one, [entryOf(one, 1)]), append(two, [entryOf(two, 1)]));
    const fresh = await openPostgresStore({ url });
    const holder = await holdHead(server.url(), schema, 'one');
    const skippedBy = async (by: Store, wait: boolean) => {
      let skipped: readonly string[] = [];
      await by.commit(
        {
          streams: [one, two].map((ref) => ({
            ref,
            known: { seq: 1, at: 0, hash: '' },
            access: 'write' as const,
            wait,
          })),
          messageIds: [],
        },
        (input) => {
          skipped = [...input.skipped];
          return [];
        },
      );
      return skipped;
    };
    const key = `default/${StreamKind.Session}/one`;
    // One knows the stream, the other has to look for it: to neither it seems to be new.
    for (const by of [store, fresh])
      expect((await skippedBy(by, false)).map((held) => held.replaceAll('\n', '/'))).toEqual([key]);
    // Waited for in vain.
    expect(await skippedBy(store, true)).toHaveLength(1);
    const waited = skippedBy(store, true);
    await until(async () => {
      const rows = await server.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      return rows.length > 0;
    });
    await holder.release();
    expect(await waited).toEqual([]);
    await Promise.all([store.close(), fresh.close()]);
  });
});

async function holdHead(url: string, schema: string, name: string) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    `SELECT 1 FROM ${schema}.heads WHERE stream = (SELECT id FROM ${schema}.streams WHERE name = $1) FOR UPDATE`,
    [name],
  );
  return {
    async release() {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

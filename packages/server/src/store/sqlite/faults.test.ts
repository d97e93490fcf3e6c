/** Failing commits, through the driver seam: a store whose halves run here, on a driver that fails when told. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandoverError } from '@handover/core';
import { append, chain, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReaderConnection, openWriterConnection } from './connection.js';
import type { Database } from './driver.js';
import { createReader } from './reader.js';
import { SqliteError } from './sqlite-error.js';
import { createSqliteStore } from './sqlite-store.js';
import type { Thread } from './thread.js';
import { createWriter } from './writer.js';

const a = streamRef('a');
const NOTHING = { streams: [], messageIds: [] };
const IOERR_FSYNC = 1034;

/** A driver that throws before the statements that match, or after them when `late`. */
function faulty(
  db: Database,
): Database & { fail?: { on: RegExp; late?: boolean; code?: number } | undefined } {
  const guard = (self: ReturnType<typeof faulty>, sql: string, call: () => void) => {
    const fault = self.fail?.on.test(sql) ? self.fail : undefined;
    if (!fault || fault.late) call();
    if (fault) throw new SqliteError('disk I/O error', fault.code ?? IOERR_FSYNC);
  };
  const wrapped: ReturnType<typeof faulty> = {
    close: db.close,
    exec: (sql) => guard(wrapped, sql, () => db.exec(sql)),
    prepare(sql) {
      const statement = db.prepare(sql);
      return { all: statement.all, run: (params) => guard(wrapped, sql, () => statement.run(params)) };
    },
  };
  return wrapped;
}

function here(handle: (request: never) => unknown): Thread {
  return { call: async (request) => handle(request as never), close: async () => {}, kill: async () => {} };
}

describe('failing commits', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'handover-faults-'));
    path = join(directory, 'handover.db');
  });
  afterEach(() => rm(directory, { recursive: true }));

  function open() {
    const db = faulty(openWriterConnection(path));
    const writer = createWriter(db);
    const reader = createReader(openReaderConnection(path));
    const fatal: HandoverError[] = [];
    const store = createSqliteStore({
      writer: here((request: { verb: 'commit' | 'seen'; packed: Uint8Array }) =>
        writer[request.verb](request.packed),
      ),
      reader: here(reader),
      position: writer.position(),
      floor: async () => undefined,
      onFatal: (error) => fatal.push(error),
    });
    return { db, store, fatal };
  }

  const commit = (store: ReturnType<typeof open>['store'], from: number, to: number) =>
    store.commit(NOTHING, () => [append(a, chain(a, from, to))]);

  for (const late of [false, true])
    it(`an error out of COMMIT is unknown and fatal (the transaction ${late ? 'did' : 'did not'} reach the disk)`, async () => {
      const { db, store, fatal } = open();
      await storeAll(store, append(a, chain(a, 1, 2)));
      db.fail = { on: /COMMIT/, late };
      await expect(commit(store, 3, 3)).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME', next: 'fatal' });
      expect(fatal).toMatchObject([{ code: 'UNKNOWN_OUTCOME', next: 'fatal' }]);
      db.fail = undefined;
      // From now on every call is refused, even one that would work.
      let decided = 0;
      const decide = () => {
        decided++;
        return [];
      };
      const calls = [
        () => commit(store, 3, 3),
        () => store.commit(NOTHING, decide),
        () => store.load(a, 0, 10),
        () => store.position(),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' });
      expect([decided, fatal.length]).toEqual([0, 1]);
      await store.close();
    });

  it('an error before COMMIT with a good rollback is notStored, and the store goes on', async () => {
    const { db, store, fatal } = open();
    await storeAll(store, append(a, chain(a, 1, 2)));
    for (const on of [/BEGIN IMMEDIATE/, /INSERT INTO entries/]) {
      db.fail = { on, code: 10 };
      expect(await commit(store, 3, 4)).toEqual({ kind: 'notStored', reason: 'disk I/O error' });
      db.fail = undefined;
      expect(await store.position()).toBe('2');
      expect(await store.load(a, 2, 10)).toEqual([]);
    }
    expect(await storeAll(store, append(a, chain(a, 3, 4)))).toEqual(['3', '4']);
    expect(fatal).toEqual([]);
  });

  it('an error whose rollback fails too is unknown and fatal', async () => {
    const { db, store, fatal } = open();
    await storeAll(store, append(a, chain(a, 1, 2)));
    db.fail = { on: /INSERT INTO entries|ROLLBACK/ };
    await expect(commit(store, 3, 3)).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME', next: 'fatal' });
    expect(fatal.length).toBe(1);
  });

  it('a commit waiting behind a failed one is refused before it is decided', async () => {
    const { db, store } = open();
    db.fail = { on: /COMMIT/ };
    let decided = 0;
    const decide = () => {
      decided++;
      return [];
    };
    const first = commit(store, 1, 1);
    const second = store.commit(NOTHING, decide);
    await expect(first).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' });
    await expect(second).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' });
    expect(decided).toBe(0);
  });

  // max_page_count stands in for the disk that is full while pages are still being allocated, before COMMIT.
  it('a database that may not grow is notStored, loses nothing, and recovers', async () => {
    const { db, store, fatal } = open();
    db.exec('PRAGMA max_page_count = 40');
    let last = 0;
    let outcome = await commit(store, 1, 1);
    while (outcome.kind === 'stored') {
      last++;
      outcome = await store.commit(NOTHING, () => [
        append(a, chain(a, last + 1, last + 1, { payload: new Uint8Array(3000) })),
      ]);
    }
    expect(outcome).toEqual({
      kind: 'notStored',
      reason: 'the disk of the data folder is full; free some space',
    });
    expect(last).toBeGreaterThan(3);
    expect((await store.load(a, 0, 1000)).length).toBe(last);
    db.exec('PRAGMA max_page_count = 100000');
    expect(await storeAll(store, append(a, chain(a, last + 1, last + 5)))).toHaveLength(5);
    expect((await store.load(a, 0, 1000)).length).toBe(last + 5);
    expect(fatal).toEqual([]);
  });
});

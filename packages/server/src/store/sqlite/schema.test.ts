import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { append, entryOf, storeAll, streamRef } from '@handover/engine/store-contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './driver.js';
import { migrate, SCHEMA_VERSION, schemaVersion } from './schema.js';
import { openSqliteStore } from './sqlite-store.js';

describe('migrations', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'handover-schema-'));
    path = join(directory, 'handover.db');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const tables = () => {
    const db = openDatabase(path);
    const found = db
      .prepare('SELECT CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema ORDER BY name')
      .all([]);
    const versions = db.prepare('SELECT version FROM schema_version ORDER BY version').all([]);
    db.close();
    return { found, versions };
  };

  it('bring an empty file to the newest version, and run again change nothing', () => {
    for (const expected of [0, SCHEMA_VERSION, SCHEMA_VERSION]) {
      const db = openDatabase(path);
      expect(schemaVersion(db, path)).toBe(expected);
      migrate(db, path);
      expect(schemaVersion(db, path)).toBe(SCHEMA_VERSION);
      db.close();
      if (expected === 0) continue;
      const before = tables();
      expect(before.versions).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, i) => [i + 1]));
      const again = openDatabase(path);
      migrate(again, path);
      again.close();
      expect(tables()).toEqual(before);
    }
  });

  it('leave nothing behind when they fail', () => {
    const db = openDatabase(path);
    const failing = { ...db, exec: (sql: string) => (sql.startsWith('INSERT') ? fail() : db.exec(sql)) };
    const fail = () => {
      throw new Error('power cut');
    };
    expect(() => migrate(failing, path)).toThrow('power cut');
    expect(schemaVersion(db, path)).toBe(0);
    migrate(db, path);
    expect(schemaVersion(db, path)).toBe(SCHEMA_VERSION);
    db.close();
  });

  it('count the bytes that an older version stored', async () => {
    const ref = streamRef('a');
    const entries = [1, 2, 3].map((seq) => entryOf(ref, seq, { actor: seq === 2 ? 'bob' : 'ann' }));
    const store = await openSqliteStore({ directory });
    await storeAll(store, append(ref, entries));
    await store.close();
    const db = openDatabase(path);
    db.exec('DROP TABLE agents; DROP TABLE heartbeats; DROP TABLE looks; DROP TABLE receipts');
    db.exec('DROP INDEX involved_newest');
    db.exec('DROP TABLE usage');
    db.exec('DELETE FROM schema_version WHERE version > 2');
    db.close();
    const again = await openSqliteStore({ directory });
    const usage = (actor?: string) => again.usage({ tenant: ref.tenant, ...(actor && { actor }) });
    expect([await usage('ann'), await usage('bob'), await usage()]).toEqual([40, 20, 60]);
    await again.close();
  });

  it('refuse a database from a newer version', async () => {
    await (await openSqliteStore({ directory })).close();
    const db = openDatabase(path);
    db.exec(`INSERT INTO schema_version VALUES (${SCHEMA_VERSION + 1})`);
    db.close();
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining(
        `handover.db was written by a newer version of Handover (schema ${SCHEMA_VERSION + 1}, `,
      ),
    });
  });

  it('refuse a database of another program and do not touch it', async () => {
    const db = openDatabase(path);
    db.exec('CREATE TABLE theirs(a)');
    db.close();
    const before = await readFile(path);
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('a database of another program'),
    });
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('refuse a file that is no database, name it and speak of a backup', async () => {
    await writeFile(path, 'not a database at all. '.repeat(200));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({
      code: 'DATA_LOSS',
      message: expect.stringMatching(/handover\.db is damaged .*restore it from a backup/),
    });
    // The lock was given back: the same refusal again, not "another server".
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: 'DATA_LOSS' });
  });
});

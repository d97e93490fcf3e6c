import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDurable, openReaderConnection, openWriterConnection, readBack } from './connection.js';
import type { Database } from './driver.js';

const FULL = 2;

describe('connections', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'handover-connection-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('are WAL with synchronous=FULL, the first, the second and the reader', () => {
    const path = join(directory, 'x.db');
    for (const open of [openWriterConnection, openWriterConnection, openReaderConnection]) {
      const db = open(path);
      expect(readBack(db, 'synchronous')).toBe(FULL);
      expect(readBack(db, 'journal_mode')).toBe('wal');
      db.close();
    }
  });

  it('refuse a build that does not do as it is told', () => {
    const lying = (journal: string, synchronous: number): Database => ({
      exec: () => {},
      prepare: (sql) => ({
        run: () => {},
        all: () => [[sql.includes('journal_mode') ? journal : synchronous]],
      }),
      close: () => {},
    });
    expect(() => makeDurable(lying('wal', 1), 'x.db')).toThrow('synchronous reads back 1, not FULL');
    expect(() => makeDurable(lying('delete', FULL), 'x.db')).toThrow('the journal mode is delete, not wal');
  });

  it('of the reader cannot write', () => {
    const path = join(directory, 'x.db');
    openWriterConnection(path).close();
    const reader = openReaderConnection(path);
    expect(() => reader.exec('DELETE FROM entries')).toThrow(/readonly/);
    reader.close();
  });
});

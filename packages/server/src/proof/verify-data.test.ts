import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { T0 } from '../../../../test/kit/clock.js';
import { openKeyring } from '../keys/keyring.js';
import { receiptKeysOf } from '../keys/receipt-keys.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { openSqliteStore } from '../store/sqlite/index.js';
import { makeDecisionReceipt } from './decision-receipt.js';
import { idOf, STORIES, sessionOf, tellStories, WORKLOGS, World } from './stories.test.helper.js';
import { type DataReport, verifyData } from './verify-data.js';

let parent: string;
let folder: string;
let original: string;
let copies = 0;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'handover-audit-'));
  folder = join(parent, 'data');
  const store = await openSqliteStore({ directory: folder, diskFloorBytes: 0 });
  await tellStories(new World(store));
  const keys = receiptKeysOf(openKeyring(folder), { retired: [] });
  for (const name of ['accepted', 'reoffered', 'implicit-accept'])
    await makeDecisionReceipt({ store, codec, keys, now: () => T0 }, sessionOf(idOf(name)));
  await store.close();
  original = join(folder, 'handover.db');
});
afterAll(() => rm(parent, { recursive: true }));

/** Runs SQL on a copy of the database and verifies the copy; undefined when the database itself refused. */
async function after(...sql: readonly string[]): Promise<DataReport | undefined> {
  const copy = join(parent, `copy-${++copies}.db`);
  await copyFile(original, copy);
  const db = new Libsql(copy);
  try {
    for (const statement of sql) db.exec(statement);
  } catch {
    return undefined;
  } finally {
    db.close();
  }
  return verifyData(copy, { codec });
}

const said = (report: DataReport | undefined): string[] =>
  (report?.flaws ?? []).map(({ ref, seq, what }) => `${ref ? `${ref.id} ` : ''}${seq ?? '-'}: ${what}`);

/** Every row of every table, by table scan; without receipts, of which a file alone cannot say who signed them. */
function dump(path: string): string {
  const db = new Libsql(path);
  try {
    const rows = (sql: string) => db.prepare(sql).raw().all() as unknown[][];
    const hex = (columns: readonly string[]) => columns.map((name) => `hex(CAST(${name} AS BLOB))`).join();
    const { receipts: _, ...tables } = TABLES;
    const all = Object.entries(tables).map(([table, columns]) =>
      rows(`SELECT ${hex(columns)} FROM ${table} NOT INDEXED ORDER BY 1, 2, 3, 4, 5`),
    );
    return JSON.stringify(all);
  } finally {
    db.close();
  }
}

const TABLES = {
  streams: ['id', 'tenant', 'kind', 'name', 'created_pos', 'created_at', 'state', 'due', 'summary'],
  entries: [
    ...['pos', 'stream', 'seq', 'at', 'type', 'v', 'actor', 'message_id', 'payload_hash', 'prev', 'hash'],
    ...['facts', 'salt', 'payload'],
  ],
  involved: ['tenant', 'agent', 'kind', 'name', 'role', 'stream'],
  receipts: ['kind', 'name', 'tenant', 'format', 'text'],
  usage: ['tenant', 'actor', 'bytes', 'bytes', 'bytes'],
  schema_version: ['version', 'version', 'version', 'version', 'version'],
};
const NUMBERS = [
  'id',
  'created_pos',
  'created_at',
  'due',
  'pos',
  'stream',
  'seq',
  'at',
  'v',
  'version',
  'bytes',
];

describe('a sound store', () => {
  it('is found sound: folder, file, and beside a running server', async () => {
    const sessions = STORIES.length;
    for (const path of [folder, original])
      expect(await verifyData(path, { codec })).toMatchObject({
        flaws: [],
        streams: sessions + WORKLOGS.length + 2,
        kinds: { session: sessions, worklog: WORKLOGS.length, policies: 1, modes: 1 },
        sessions: { OPEN: 1, SUSPENDED: 1, EXPIRED: 1, CANCELLED: 2, RESOLVED: sessions - 5 },
      });
    const directory = join(parent, 'live');
    const store = await openSqliteStore({ directory, diskFloorBytes: 0 });
    await tellStories(new World(store));
    const report = await verifyData(directory, { codec });
    expect([report.flaws, report.entries]).toEqual([[], report.position]);
    await store.close();
  });

  it('is no store at all: said as such', async () => {
    const { flaws } = await verifyData(parent, { codec });
    expect(flaws).toEqual([{ what: `there is no Handover data at ${parent}` }]);
  });
});

describe('a changed copy', () => {
  const changes = (column: string): string[] =>
    NUMBERS.includes(column)
      ? [`${column} + 1`, `${column} - 1`, `${column} + 1000000`, '0', 'NULL', '9007199254740993', '1 << 62']
      : [
          `CAST(${column} || x'41' AS BLOB)`,
          `CAST(substr(${column}, 2) AS BLOB)`,
          `CAST(x'42' || substr(${column}, 2) AS BLOB)`,
          "x''",
          "x'ff'",
          'NULL',
        ];

  for (const [table, columns] of Object.entries(TABLES))
    it.each([...new Set(columns)])(`${table}.%s: every change is found and named`, async (column) => {
      const db = new Libsql(original);
      // The tables of involvements and of usage have no rowid: their rows are named by their keys.
      const names = {
        streams: 'id',
        entries: 'pos',
        involved: TABLES.involved.slice(0, 5).join(),
        receipts: 'kind, name, tenant, format',
        usage: 'tenant, actor',
        schema_version: 'version',
      }[table];
      const [[total = 0] = []] = db.prepare(`SELECT count(*) FROM ${table}`).raw().all() as number[][];
      db.close();
      let refused = 0;
      let found = 0;
      for (const change of changes(column))
        for (const row of new Set([0, Math.floor(total / 3), Math.floor(total / 2), total - 1])) {
          const where = `(${names}) IN (SELECT ${names} FROM ${table} ORDER BY 1 LIMIT 1 OFFSET ${row})`;
          const changed = `UPDATE ${table} SET ${column} = ${change} WHERE ${where} AND ${column} IS NOT (${change})`;
          const copy = join(parent, `copy-${++copies}.db`);
          await copyFile(original, copy);
          const writer = new Libsql(copy);
          let count: number;
          try {
            count = writer.prepare(changed).run().changes;
          } catch {
            refused++;
            continue;
          } finally {
            writer.close();
          }
          if (count === 0) continue;
          const verdict = await verifyData(copy, { codec }).then(said, (thrown: Error) => [thrown.message]);
          expect(verdict.join('\n'), `${changed}`).toMatch(/\S/);
          found++;
          await rm(copy);
        }
      expect(found + refused).toBeGreaterThan(0);
    });

  const accepted = `(SELECT id FROM streams WHERE name = CAST('${idOf('accepted')}' AS BLOB))`;
  const entry = (seq: number) => `stream = ${accepted} AND seq = ${seq}`;

  const receiptText = (name: string) =>
    `(SELECT text FROM receipts WHERE name = CAST('${idOf(name)}' AS BLOB))`;
  const ofAccepted = `name = CAST('${idOf('accepted')}' AS BLOB)`;
  const digest = 'CAST(replace(CAST(text AS TEXT), \'"message_count":7\', \'"message_count":8\') AS BLOB)';
  it.each<[string, string[], RegExp]>([
    [
      'a kept receipt',
      [`UPDATE receipts SET text = ${digest} WHERE ${ofAccepted}`],
      /its kept receipt: transcript.message_count is 8; the log says 7/,
    ],
    [
      'the kept receipt of another session',
      [`UPDATE receipts SET text = ${receiptText('reoffered')} WHERE ${ofAccepted}`],
      /its kept receipt: /,
    ],
    [
      'a kept receipt without a session',
      [`UPDATE receipts SET name = x'41' WHERE ${ofAccepted}`],
      /A -: there is a kept receipt and no such session/,
    ],
    [
      'a state',
      [`UPDATE streams SET state = x'4f' WHERE id = ${accepted}`],
      /-: list row: state is "O"; the log gives "RESOLVED"/,
    ],
    [
      'a due time put in',
      [`UPDATE streams SET due = 5 WHERE id = ${accepted}`],
      /list row: due is 5; the log gives null/,
    ],
    [
      'a due time taken out',
      ['UPDATE streams SET due = NULL WHERE due IS NOT NULL'],
      /list row: due is null; the log gives \d+/,
    ],
    [
      'a summary',
      [`UPDATE streams SET summary = x'7b7d' WHERE id = ${accepted}`],
      /list row: summary is not/,
    ],
    [
      'a payload',
      [`UPDATE entries SET payload = x'00' WHERE ${entry(3)}`],
      /3: payload of entry 3 does not match/,
    ],
    [
      'facts that are no JSON',
      [`UPDATE entries SET facts = x'7b' WHERE ${entry(3)}`],
      /the facts of entry 3 are no JSON/,
    ],
    ['an entry deleted', [`DELETE FROM entries WHERE ${entry(3)}`], /entry 3 of session\/.* is missing/],
    [
      'entries swapped',
      [
        `UPDATE entries SET seq = 99 WHERE ${entry(3)}`,
        `UPDATE entries SET seq = 3 WHERE ${entry(4)}`,
        `UPDATE entries SET seq = 4 WHERE ${entry(99)}`,
      ],
      /3: prev of entry 3 is not the hash of entry 2/,
    ],
    [
      'positions swapped',
      [
        `UPDATE entries SET pos = pos + 100000 WHERE ${entry(3)}`,
        `UPDATE entries SET pos = pos - 1 WHERE ${entry(4)}`,
        `UPDATE entries SET pos = pos - 99999 WHERE ${entry(3)}`,
      ],
      /4: its position stands before that of the entry it follows/,
    ],
    [
      'an entry in another stream',
      [`UPDATE entries SET stream = 999 WHERE ${entry(7)}`],
      /belongs to no stream/,
    ],
    [
      'an involvement added',
      ["INSERT INTO involved SELECT tenant, x'657665', kind, name, role, stream FROM involved LIMIT 1"],
      /involvement of "eve" as \w+ is in the list table, not in the log/,
    ],
    [
      'an involvement taken away',
      [
        `DELETE FROM involved WHERE stream = ${accepted} AND agent = x'626f62' AND role = CAST('target' AS BLOB)`,
      ],
      /involvement of "bob" as target is in the log, not in the list table/,
    ],
    [
      'bytes that nobody stored',
      ["INSERT INTO usage VALUES (x'61', x'62', 7)"],
      /7 bytes are counted for an actor, which is not what the log holds/,
    ],
    ['bytes that are not counted', ['DELETE FROM usage'], /0 bytes are counted for an actor/],
    ['all involvements taken away', ['DELETE FROM involved'], /is in the log, not in the list table/],
    [
      'a stream taken out of the lists',
      [`DELETE FROM streams WHERE id = ${accepted}`],
      /belongs to no stream/,
    ],
    [
      'a whole stream',
      [
        `DELETE FROM entries WHERE stream = ${accepted}`,
        `DELETE FROM involved WHERE stream = ${accepted}`,
        `DELETE FROM streams WHERE id = ${accepted}`,
      ],
      /position \d+ of the log is missing/,
    ],
    [
      'the last entry alone',
      [`DELETE FROM entries WHERE pos = (SELECT max(pos) FROM entries WHERE stream = ${accepted})`],
      /list row: state is "RESOLVED"; the log gives "OPEN"/,
    ],
    [
      'a trigger',
      ['CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM involved; END'],
      /trigger t of the database is not ours/,
    ],
    ['an index', ['DROP INDEX streams_due'], /index streams_due of the database is missing/],
    ['a version of the schema', ['INSERT INTO schema_version VALUES (-1)'], /schema_version does not hold/],
  ])('names %s', async (_, sql, expected) => {
    expect(said(await after(...sql)).join('\n')).toMatch(expected);
  });

  it('names the one stream that was changed and looks at the others all the same', async () => {
    const report = await after(`UPDATE entries SET salt = zeroblob(16) WHERE ${entry(2)}`);
    expect(said(report)).toEqual([`${idOf('accepted')} 2: payload of entry 2 does not match its hash`]);
    expect(report?.sessions).toMatchObject({ flawed: 1, OPEN: 1 });
  });

  it('sees who issued a kept receipt where the keys of the folder are, too', async () => {
    const changedIssuer = "CAST(replace(CAST(text AS TEXT), 'runtime:', 'runtime:x') AS BLOB)";
    const change = `UPDATE receipts SET text = ${changedIssuer} WHERE ${ofAccepted}`;
    expect(said(await after(change))).toEqual([]);
    const whole = await mkdtemp(join(parent, 'whole-'));
    for (const name of ['handover.db', 'receipt-keys.json'])
      await copyFile(join(folder, name), join(whole, name));
    expect(said(await verifyData(whole, { codec }))).toEqual([]);
    const db = new Libsql(join(whole, 'handover.db'));
    db.exec(change);
    db.close();
    expect(said(await verifyData(whole, { codec }))).toEqual([
      `${idOf('accepted')} -: its kept receipt: the signature does not fit`,
    ]);
  });

  it('cannot see a tail that was cut off cleanly, as the documents say', async () => {
    const last = '(SELECT max(pos) FROM entries)';
    expect(said(await after(`DELETE FROM entries WHERE pos = ${last}`))).toEqual([]);
  });

  it('shows a flipped byte of the file, wherever it holds a value', { timeout: 240_000 }, async () => {
    const bytes = await readFile(original);
    const before = dump(original);
    // The pages of so small a file are mostly zeros that hold nothing: every second flip goes where something stands.
    const written = [...bytes.keys()].filter((at) => bytes[at] !== 0);
    const anywhere = fc.oneof(fc.constantFrom(...written), fc.nat(bytes.length - 1));
    let silent = 0;
    await fc.assert(
      fc.asyncProperty(anywhere, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const copy = join(parent, `flip-${++copies}.db`);
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ mask;
        await writeFile(copy, changed);
        const verdict = await verifyData(copy, { codec }).then(said, (thrown: Error) => [thrown.message]);
        if (verdict.length === 0) {
          silent++;
          expect(dump(copy), `byte ${at}`).toBe(before);
        }
        await rm(copy);
      }),
      { numRuns: 150 },
    );
    expect(silent).toBeLessThan(150 / 2);
  });
});

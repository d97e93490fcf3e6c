/**
 * Micro-benchmark of the SQLite store through its port, beside a bare libsql loop on the same tables.
 *
 *   node --import tsx test/bench/store.ts [seconds per row] [folder]
 *
 * Two shapes: `short` starts a new stream after every 16 entries (sessions as they are), `hot` writes round-robin to 100
 * streams that never end, which dirties two index pages per entry and is the worst case. Payloads are 400 B.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '@handover/core';
import type { StreamAppend } from '@handover/engine';
import Libsql from 'libsql';
import { openWriterConnection } from '../../packages/server/src/store/sqlite/connection.js';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/index.js';

const seconds = Number(process.argv[2] ?? 2);
const parent = process.argv[3] ?? tmpdir();
const BATCHES = [1, 16, 64, 256];
const LIVE_STREAMS = 100;
type Shape = 'short' | 'hot';

const payload = randomBytes(400);
const salt = randomBytes(16);
const hash = randomBytes(32).toString('hex');
const facts = {
  handoff_id: 'h-0123456789abcdef',
  target: 'agent-b',
  deadline: 1_754_000_000_000,
  mode: 'handoff',
};
const factsText = JSON.stringify(facts);

/** Round-robin over the live streams; a short one is replaced when it is full. */
function* entries(shape: Shape): Generator<Entry> {
  const live = Array.from({ length: LIVE_STREAMS }, (_, i) => ({ id: `stream-${i}`, seq: 0 }));
  let made = LIVE_STREAMS;
  for (let n = 0; ; n++) {
    const slot = n % LIVE_STREAMS;
    let stream = live[slot] ?? { id: '', seq: 0 };
    if (shape === 'short' && stream.seq >= 1 + (slot % 31))
      stream = live[slot] = { id: `stream-${made++}`, seq: 0 };
    stream.seq++;
    yield {
      stream: { tenant: 'default', kind: 'session', id: stream.id },
      seq: stream.seq,
      at: 1_754_000_000_000 + n,
      type: 'handoff.offer',
      v: 1,
      actor: 'agent-a',
      messageId: `5f0c1c9e-8a3e-4c57-9d3f-${n.toString(16).padStart(12, '0')}`,
      payloadHash: hash,
      prev: hash,
      hash,
      factsText,
      facts,
      salt,
      payload,
    };
  }
}

const row = { state: 'OPEN', due: 1_754_000_060_000, createdAt: 1_754_000_000_000, summary: factsText };
const involved = [
  { agent: 'agent-a', role: 'initiator' },
  { agent: 'agent-b', role: 'target' },
];

function toAppend(entry: Entry): StreamAppend {
  const { stream } = entry;
  return entry.seq === 1
    ? { stream, entries: [entry], row, involved }
    : { stream, entries: [entry], involved: [] };
}

function take(source: Generator<Entry>, count: number): Entry[] {
  return Array.from({ length: count }, () => source.next().value as Entry);
}

interface Rate {
  readonly commits: number;
  /** CPU of the whole process, both threads, per commit: what a busy neighbour cannot spoil. */
  readonly cpu: number;
  readonly p99: number;
}

async function throughPort(directory: string, shape: Shape, batch: number): Promise<Rate> {
  const store = await openSqliteStore({ directory });
  const source = entries(shape);
  const request = { streams: [], messageIds: [] };
  const rate = await measure(async () => {
    const appends = take(source, batch).map(toAppend);
    const { kind } = await store.commit(request, () => appends);
    if (kind !== 'stored') throw new Error(kind);
  });
  await store.close();
  return rate;
}

/** The same tables and pragmas, no threads, no packing: what the driver and the disk can do. */
async function bare(directory: string, shape: Shape, batch: number): Promise<Rate> {
  const path = join(directory, 'bare.db');
  openWriterConnection(path).close();
  const db = new Libsql(path);
  for (const pragma of ['synchronous = FULL', 'cache_size = -32768', 'wal_autocheckpoint = 4000'])
    db.exec(`PRAGMA ${pragma}`);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const digest = Buffer.from(hash, 'hex');
  const source = entries(shape);
  let pos = 0;
  const rate = await measure(async () => {
    begin.run([]);
    for (const e of take(source, batch)) {
      const stream = Number(e.stream.id.slice(7));
      const texts = [
        Buffer.from(e.actor),
        Buffer.from(e.messageId),
        digest,
        digest,
        digest,
        Buffer.from(e.factsText),
      ];
      insert.run([++pos, stream, e.seq, e.at, Buffer.from(e.type), e.v, ...texts, e.salt, e.payload]);
    }
    commit.run([]);
  });
  db.close();
  return rate;
}

async function measure(commit: () => Promise<void>): Promise<Rate> {
  for (let i = 0; i < 20; i++) await commit();
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  for (let now = start; now - start < seconds * 1000; ) {
    await commit();
    const then = performance.now();
    times.push(then - now);
    now = then;
  }
  const commits = (times.length / (performance.now() - start)) * 1000;
  const cpu = process.cpuUsage(cpuBefore);
  times.sort((a, b) => a - b);
  return {
    commits,
    cpu: (cpu.user + cpu.system) / times.length,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

console.log('shape  batch  path   commits/s  entries/s  p99 ms  cpu us/entry');
for (const shape of ['short', 'hot'] as const)
  for (const batch of BATCHES)
    for (const [name, run] of [['store', throughPort] as const, ['bare', bare] as const]) {
      const directory = await mkdtemp(join(parent, 'handover-bench-'));
      const { commits, cpu, p99 } = await run(directory, shape, batch);
      await rm(directory, { recursive: true });
      const cells = [
        commits.toFixed(0).padStart(9),
        (commits * batch).toFixed(0).padStart(10),
        p99.toFixed(2).padStart(7),
        (cpu / batch).toFixed(1).padStart(13),
      ];
      console.log(`${shape.padEnd(6)} ${String(batch).padStart(5)}  ${name.padEnd(5)} ${cells.join(' ')}`);
    }

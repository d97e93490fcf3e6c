// npm run bench [-- --quick] [-- --out file.json]: prints a table, writes JSON. A benchmark, not a test: nothing here
// passes or fails. Every figure that depends on the machine stands beside a bare yardstick from the same run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GrpcClient } from '../kit/grpc-client.js';
import { startServerProcess } from '../kit/server-process.js';
import { startEcho } from './echo-process.js';
import { growth } from './growth.js';
import { idleSubscribers, startUp } from './scale.js';
import { benchSdk } from './sdk.js';
import { compare, grpcContestant, http2Workers, type Row, streamContestant } from './throughput.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench-results.json' },
    rounds: { type: 'string', default: '3' },
  },
});
const rounds = values.quick ? 1 : Number(values.rounds);
const concurrencies = values.quick ? [64] : [1, 8, 64, 256];
const scale = values.quick
  ? { sessions: 5_000, subscribers: 1_000 }
  : { sessions: 100_000, subscribers: 10_000 };

const dataDir = mkdtempSync(join(tmpdir(), 'handover-bench-'));
const storeDir = mkdtempSync(join(tmpdir(), 'handover-bench-'));
const echo = await startEcho('grpc');
const floor = await startEcho('http2');
// All subscribers and streams of the benchmark are one agent.
const env = { HANDOVER_LISTENERS_PER_PRINCIPAL: '20000' };
const server = await startServerProcess({ dataDir, env });
const echoAt = `127.0.0.1:${echo.port}`;

const rows: Row[] = [];
const ratios: Record<string, number> = {};
for (const concurrency of concurrencies) {
  const unary = await compare(
    [
      ['http2 echo (bare)', async (count) => http2Workers(floor.port, count)],
      ['grpc-js echo (bare)', grpcContestant(echoAt, false)],
      ['durable Send', grpcContestant(server.grpc, true)],
    ],
    concurrency,
    rounds,
  );
  const streams = await compare(
    [
      ['grpc-js stream echo (bare)', streamContestant(echoAt, false)],
      ['durable StreamSession', streamContestant(server.grpc, true)],
    ],
    concurrency,
    rounds,
  );
  rows.push(...unary, ...streams);
  ratios[`Send / grpc-js echo at ${concurrency}`] = (unary[2]?.perSecond ?? 0) / (unary[1]?.perSecond ?? 1);
  ratios[`StreamSession / stream echo at ${concurrency}`] =
    (streams[1]?.perSecond ?? 0) / (streams[0]?.perSecond ?? 1);
}
echo.child.kill();
floor.child.kill();

const handoffs = await benchSdk(server.grpc);
rows.push(...handoffs);
const client = new GrpcClient(server.grpc);
const cost = await growth(client);
client.close();
const subscribers = await idleSubscribers(server, scale.subscribers);
await server.stop('SIGTERM');
const stored = await startUp(storeDir, scale.sessions);
rmSync(dataDir, { recursive: true, force: true });
rmSync(storeDir, { recursive: true, force: true });

const round = (value: number, digits = 2) => Number(value.toFixed(digits));
console.table(
  rows.map(({ name, concurrency, perSecond, p50Ms, p99Ms }) => ({
    what: name,
    at: concurrency,
    'per second': Math.round(perSecond),
    'p50 ms': round(p50Ms),
    'p99 ms': round(p99Ms),
  })),
);
console.table(
  Object.fromEntries(Object.entries(ratios).map(([name, value]) => [name, { ratio: round(value) }])),
);
console.table(
  cost.points.map(({ messages, msPerMessage }) => ({ messages, 'ms per message': round(msPerMessage, 3) })),
);
console.log(`cost at 10,000 messages / cost at 100, alternating: ${round(cost.ratio)}`);
console.log(
  `start-up with ${stored.sessions} stored sessions: ${Math.round(stored.startMs)} ms, ${Math.round(stored.residentMiB)} MiB resident`,
);
console.table(
  [subscribers].map((s) => Object.fromEntries(Object.entries(s).map(([key, value]) => [key, round(value)]))),
);

const machine = {
  node: process.version,
  cpus: cpus().length,
  model: cpus()[0]?.model,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
};
writeFileSync(
  values.out,
  `${JSON.stringify({ machine, quick: values.quick, rows, ratios, cost, stored, subscribers }, null, 2)}\n`,
);
console.log(`written: ${values.out}`);
process.exit(0);

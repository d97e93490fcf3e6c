// npm run bench:assistants [-- --rounds 20] [-- --out page.md]: what an assistant waits for, against the targets of
// assistants 6.6 and beside bare `node`; updateContext beside a bare echo tool. Writes docs/reports/assistant-times.md. A
// benchmark, not a test: nothing here passes or fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanEnv } from '../kit/handover-process.js';
import { NO_RATE_LIMITS } from '../kit/no-rate-limits.js';
import { startServerProcess } from '../kit/server-process.js';
import { handOff, resume, writeLargeSession } from './assistant-calls.js';
import { assistantReport, type Figure, type Throughput } from './assistant-report.js';
import {
  bareNode,
  coldStart,
  firstAnswer,
  type Hooked,
  hookSessionStart,
  type Place,
  stop,
} from './assistant-starts.js';
import { cpuMs, serverOn } from './cpu-time.js';
import { startEchoMcp } from './echo-mcp-process.js';
import { httpCaller, keptAgent } from './mcp-http-calls.js';
import { stdioCaller } from './mcp-stdio-calls.js';
import { echoing, updating, type Workers } from './mcp-workers.js';
import { measure } from './measure.js';
import { packedCommand } from './packed-command.js';
import { spanOf, type Timing } from './spans.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, out: { type: 'string' } },
});
const rounds = Number(values.rounds);
const page = values.out ?? fileURLToPath(new URL('../../docs/reports/assistant-times.md', import.meta.url));
const CONNECTIONS = [1, 32, 128];
const TIMING = { warmupMs: 1_500, runMs: 3_000 };
const WRITER = 'writer';
const RECEIVER = 'receiver';

/** The load is that of the last minute, and most of it was our own. */
const OWN_LOAD_MS = 90_000;
const loadNow = () => loadavg()[0] ?? 0;
const start = loadNow();
const home = mkdtempSync(join(tmpdir(), 'handover-bench-assistants-'));
const project = join(home, 'shop');
mkdirSync(project);
const place: Place = {
  binary: await packedCommand(),
  home,
  project,
  env: cleanEnv({ ...NO_RATE_LIMITS, HOME: home }),
};
const pipeOn = (folder: string, agent: string) =>
  stdioCaller([place.binary, 'mcp', '--agent', agent, '--data-dir', folder, '--project', project], place.env);

/** A folder with one offer, and nobody who serves it. */
const left = join(home, 'left');
const leaving = pipeOn(left, WRITER);
await handOff(leaving.call, WRITER, RECEIVER);
leaving.close();
await stop(place, left);

const served = join(home, 'served');
const writer = pipeOn(served, WRITER);
await writeLargeSession(writer.call, 'large', WRITER);
await handOff(writer.call, WRITER, RECEIVER);

const bare: Timing[] = [];
const cold: Timing[] = [];
const joined: Timing[] = [];
const hooks = { with: [] as Hooked[], without: [] as Hooked[] };
for (let round = 0; round < rounds; round++) {
  bare.push(await bareNode(place));
  cold.push(await coldStart(place));
  joined.push(await firstAnswer(place, served));
  hooks.with.push(await hookSessionStart(place, served, RECEIVER));
  hooks.without.push(await hookSessionStart(place, left, RECEIVER));
}
const resumed = await calls(() => resume(writer.call, 'large'));
const handed = await calls(() => handOff(writer.call, WRITER, RECEIVER));
writer.close();
await stop(place, served);

const figure = (what: string, ran: readonly Timing[], targetMs?: number): Figure => ({
  what,
  ...spanOf(ran.map(({ time }) => time)),
  cpuMs: spanOf(ran.map(({ cpu }) => cpu).filter((cpu) => cpu > 0)).median,
  ...(targetMs !== undefined && { targetMs }),
});
const hookFigure = (what: string, ran: readonly Hooked[], targetMs: number): Figure => {
  const silent = ran.filter((one) => one.silent).length;
  const note = silent > 0 ? { note: `${silent} of ${ran.length} ran out of time` } : {};
  return { ...figure(what, ran, targetMs), ...note };
};
const figures: readonly Figure[] = [
  figure('bare `node -p 0`', bare),
  figure('first answer, server started for it', cold, 2_000),
  figure('first answer, joining a server', joined, 500),
  figure('`handOff` with 20 notes', handed, 60),
  figure('`resume` of a session of 1 MB', resumed, 150),
  hookFigure('`hook session-start`, with a server', hooks.with, 250),
  hookFigure('`hook session-start`, without one', hooks.without, 600),
];

const throughput = await besideEcho();
console.log('waiting until the load is that of others');
await sleep(OWN_LOAD_MS);
writeFileSync(page, assistantReport({ rounds, load: { start, end: loadNow() }, figures, throughput }));
rmSync(home, { recursive: true, force: true });
console.log(`written: ${page}`);
process.exit(0);

/** Each with its share of what the server used for all of them. */
async function calls(call: () => Promise<number>): Promise<readonly Timing[]> {
  const server = serverOn(served);
  const used = () => (server === undefined ? 0 : cpuMs(server));
  const before = used();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await call());
  const cpu = (used() - before) / rounds;
  return times.map((time) => ({ time, cpu }));
}

async function besideEcho(): Promise<readonly Throughput[]> {
  const dataDir = join(home, 'durable');
  const echo = await startEchoMcp();
  const server = await startServerProcess({ dataDir, binary: place.binary });
  const agent = keptAgent(Math.max(...CONNECTIONS));
  const echoes = echoing(httpCaller(echo.url, 'alice', agent));
  const updates = updating(httpCaller(`${server.http}/mcp`, 'alice', agent), 'alice');
  const run = async (workers: Workers, count: number) => measure(await workers(count), TIMING);
  // Code that has not run often is slow code: both are measured warm.
  await run(echoes, 32);
  await run(updates, 32);
  const rows: Throughput[] = [];
  for (const connections of CONNECTIONS) {
    const { perSecond: echoed } = await run(echoes, connections);
    const { perSecond: update, p99Ms } = await run(updates, connections);
    rows.push({ connections, echo: echoed, update, p99Ms });
  }
  agent.destroy();
  echo.stop();
  await server.stop('SIGTERM');
  return rows;
}

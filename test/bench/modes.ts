// npm run bench:modes [-- --runs 5]: a durable message of each mode at 64 sessions, beside Handoff's and a bare echo. The
// modes alternate in every run, each time on a fresh server and folder. Prints what each mode is beside Handoff and ends with 1 where
// one is too slow. Five runs or more are written to docs/reports/mode-times.md; fewer say too little.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Envelope } from '@handover/core';
import { GrpcClient } from '../kit/grpc-client.js';
import { startServerProcess } from '../kit/server-process.js';
import { cpuMs } from './cpu-time.js';
import { startEcho } from './echo-process.js';
import { measure, median } from './measure.js';
import { HANDOFF_TALK, OTHER_TALKS, startOf, type Talk } from './mode-talks.js';
import { grpcContestant } from './throughput.js';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const runs = Number(values.runs);
const SESSIONS = 64;
const ENOUGH_RUNS = 5;
/** The median of a mode's rate, divided by Handoff's of the same run. */
const WANTED = 0.9;
const REPORT = fileURLToPath(new URL('../../docs/reports/mode-times.md', import.meta.url));
const TALKS = [HANDOFF_TALK, ...OTHER_TALKS];
const load = loadavg()[0] ?? 0;

interface Sample {
  readonly perSecond: number;
  readonly cpuMsPerMessage: number;
}

async function say(client: GrpcClient, envelope: Envelope): Promise<void> {
  const ack = await client.send(envelope);
  if (!ack.ok) throw new Error(`${envelope.messageType}: ${ack.error?.code} ${ack.error?.message}`);
}

async function openSession(client: GrpcClient, talk: Talk): Promise<string> {
  const id = randomUUID();
  await say(client, startOf(id, talk));
  for (const envelope of talk.open(id)) await say(client, envelope);
  return id;
}

/** One message after another in its own session; where that takes no more, in the next of those opened before. */
async function workerOf(client: GrpcClient, talk: Talk): Promise<() => Promise<void>> {
  const sessions: string[] = [];
  for (let n = 0; n < (talk.most === Number.POSITIVE_INFINITY ? 1 : 3); n++)
    sessions.push(await openSession(client, talk));
  let said = 0;
  return async () => {
    const id = sessions[Math.floor(said / talk.most)];
    if (id === undefined) throw new Error('more was said than there are sessions for');
    await say(client, talk.message(id, said++ % talk.most));
  };
}

async function sample(talk: Talk): Promise<Sample> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handover-bench-'));
  const server = await startServerProcess({ dataDir });
  const client = new GrpcClient(server.grpc);
  try {
    const pid = server.child.pid ?? 0;
    const workers: (() => Promise<void>)[] = [];
    for (let n = 0; n < SESSIONS; n++) workers.push(await workerOf(client, talk));
    await measure(workers, { warmupMs: 0, runMs: 1_500 });
    const before = cpuMs(pid);
    const { perSecond, requests } = await measure(workers, { warmupMs: 0, runMs: 3_000 });
    return { perSecond, cpuMsPerMessage: (cpuMs(pid) - before) / requests };
  } finally {
    client.close();
    await server.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function echoPerSecond(): Promise<number> {
  const echo = await startEcho('grpc');
  const { workers, close } = await grpcContestant(`127.0.0.1:${echo.port}`, false)(SESSIONS);
  const { perSecond } = await measure(workers);
  close?.();
  echo.child.kill();
  return perSecond;
}

const echoes: number[] = [];
const samples = new Map<Talk, Sample[]>(TALKS.map((talk) => [talk, []]));
for (let run = 0; run < runs; run++) {
  echoes.push(await echoPerSecond());
  // Who goes first changes from run to run.
  for (const at of TALKS.keys()) {
    const talk = TALKS[(at + run) % TALKS.length] as Talk;
    const taken = await sample(talk);
    samples.get(talk)?.push(taken);
    console.error(`run ${run + 1} of ${runs}`, talk.mode, JSON.stringify(taken));
  }
}

const handoff = samples.get(HANDOFF_TALK) ?? [];
const spread = (numbers: readonly number[], digits: number) =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`;
const against = (all: readonly Sample[], pick: (sample: Sample) => number) =>
  all.map((one, run) => pick(one) / pick(handoff[run] ?? one));

/** Of the rates beside Handoff's. */
const beside = (talk: Talk) => against(samples.get(talk) ?? [], (one) => one.perSecond);
const isSlow = (talk: Talk) => median(beside(talk)) < WANTED;

const rows = TALKS.map((talk) => {
  const all = samples.get(talk) ?? [];
  const cells = [
    `\`${talk.mode}\``,
    talk.messageType,
    Math.round(median(all.map((one) => one.perSecond))),
    spread(
      all.map((one, run) => one.perSecond / (echoes[run] ?? 1)),
      2,
    ),
    spread(beside(talk), 2),
    spread(
      against(all, (one) => one.cpuMsPerMessage),
      2,
    ),
    talk === HANDOFF_TALK ? '' : isSlow(talk) ? '**too slow**' : 'fast enough',
  ];
  return `| ${cells.join(' | ')} |`;
});
const page = [
  '# A durable message of each mode',
  '',
  'Written by `npm run bench:modes`; do not edit.',
  '',
  `${runs} runs in which the modes alternate, each time on a fresh server and folder; ${SESSIONS} sessions at once, one message`,
  `after the other in each, with a text of 300 characters; Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that`,
  `server and client share, load ${load.toFixed(1)} at the start. Median of the runs, least and most in brackets.`,
  '',
  '| mode | message | per second | beside a bare gRPC echo | beside Handoff, per second | beside Handoff, CPU of the server | verdict |',
  '| --- | --- | ---: | ---: | ---: | ---: | --- |',
  ...rows,
  '',
  `Wanted: at the median, every mode has at least ${WANTED} of Handoff’s rate in the same run. Quorum sessions have 400 participants here (each has one ballot), the others three.`,
  '',
];
console.log(page.join('\n'));
if (runs >= ENOUGH_RUNS) {
  writeFileSync(REPORT, page.join('\n'));
  console.log(`written: ${REPORT}`);
} else console.log(`not written: ${runs} of ${ENOUGH_RUNS} runs`);
const slow = TALKS.filter(isSlow).map(({ mode }) => mode);
if (slow.length > 0) console.error(`below ${WANTED} of Handoff: ${slow.join(', ')}`);
process.exit(slow.length > 0 ? 1 : 0);

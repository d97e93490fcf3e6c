// npm run bench:compare -- --other ../another-checkout [--pairs 9] [--out file.json]: this build beside another one (set up
// with `npm run build`), in interleaved pairs with a bare echo, so that what the machine does meanwhile hits all alike.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startServerProcess } from '../kit/server-process.js';
import { cpuMs } from './cpu-time.js';
import { startEcho } from './echo-process.js';
import { measure, median } from './measure.js';
import { statusPostCpuMs } from './status-posts.js';
import { grpcContestant } from './throughput.js';

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    pairs: { type: 'string', default: '9' },
    out: { type: 'string', default: 'bench-results.json' },
  },
});
if (values.other === undefined) throw new Error('--other names the checkout to compare with');
const other = resolve(values.other, 'packages/server/bin/handover.js');
const pairs = Number(values.pairs);
const CONCURRENCY = 64;
const NO_PAGE_LIMITS = {
  MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '1000000',
  MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '1000000',
};

interface Sample {
  readonly perSecond: number;
  readonly cpuMsPerSend: number;
  readonly cpuMsPerPost: number;
}

/** A fresh server and a fresh folder each time: no build profits from what another left behind. */
async function sample(binary?: string): Promise<Sample> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handover-bench-'));
  const server = await startServerProcess({ dataDir, env: NO_PAGE_LIMITS, ...(binary && { binary }) });
  try {
    const pid = server.child.pid ?? 0;
    const { workers, close } = await grpcContestant(server.grpc, true)(CONCURRENCY);
    await measure(workers, { warmupMs: 0, runMs: 1_500 });
    const before = cpuMs(pid);
    const { perSecond, requests } = await measure(workers, { warmupMs: 0, runMs: 3_000 });
    const cpuMsPerSend = (cpuMs(pid) - before) / requests;
    close?.();
    return { perSecond, cpuMsPerSend, cpuMsPerPost: await statusPostCpuMs(server.http, pid) };
  } finally {
    await server.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function echoPerSecond(address: string): Promise<number> {
  const { workers, close } = await grpcContestant(address, false)(CONCURRENCY);
  const { perSecond } = await measure(workers);
  close?.();
  return perSecond;
}

const spread = (numbers: readonly number[]) => ({
  median: median(numbers),
  least: Math.min(...numbers),
  most: Math.max(...numbers),
});

const echo = await startEcho('grpc');
const rows: { old: Sample; new: Sample; echo: number }[] = [];
for (let pair = 0; pair < pairs; pair++) {
  const bare = await echoPerSecond(`127.0.0.1:${echo.port}`);
  // Who goes first changes from pair to pair.
  const first = await sample(pair % 2 === 0 ? other : undefined);
  const second = await sample(pair % 2 === 0 ? undefined : other);
  const [before, after] = pair % 2 === 0 ? [first, second] : [second, first];
  rows.push({ old: before, new: after, echo: bare });
  console.error(`pair ${pair + 1} of ${pairs}`, JSON.stringify(rows.at(-1)));
}
echo.child.kill();

const of = (pick: (row: (typeof rows)[number]) => number) => spread(rows.map(pick));
const report = {
  pairs,
  'Send per second at 64, old / echo': of((row) => row.old.perSecond / row.echo),
  'Send per second at 64, new / echo': of((row) => row.new.perSecond / row.echo),
  'Send per second at 64, new / old': of((row) => row.new.perSecond / row.old.perSecond),
  'server CPU of a Send, new / old': of((row) => row.new.cpuMsPerSend / row.old.cpuMsPerSend),
  'server CPU of a status post, ms, old': of((row) => row.old.cpuMsPerPost),
  'server CPU of a status post, ms, new': of((row) => row.new.cpuMsPerPost),
  'server CPU of a status post, old / new': of((row) => row.old.cpuMsPerPost / row.new.cpuMsPerPost),
};
writeFileSync(values.out, `${JSON.stringify({ report, rows }, undefined, 2)}\n`);
console.log(JSON.stringify(report, undefined, 2));

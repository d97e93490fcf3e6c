// npm run bench:mcp [-- --quick] [-- --rounds 5 --at 32,128]: updateContext and whole handoffs per second through the MCP door, beside a bare echo
// tool on the same SDK in the same run. A benchmark, not a test: nothing here passes or fails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BINARY } from '../kit/handover-process.js';
import { NO_RATE_LIMITS } from '../kit/no-rate-limits.js';
import { startServerProcess } from '../kit/server-process.js';
import { ECHO, startEchoMcp } from './echo-mcp-process.js';
import { type Call, httpCaller, keptAgent } from './mcp-http-calls.js';
import { stdioCaller } from './mcp-stdio-calls.js';
import { CONTENT, echoing, updating, type Workers, workersOf } from './mcp-workers.js';
import { type Measured, measure, median } from './measure.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    at: { type: 'string' },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
const concurrencies = (values.at ?? (values.quick ? '32' : '1,8,32,128')).split(',').map(Number);
const timing = values.quick ? { warmupMs: 2_000, runMs: 3_000 } : { warmupMs: 2_000, runMs: 4_000 };

interface Row extends Measured {
  readonly name: string;
  readonly concurrency: number;
}
type Contestant = readonly [name: string, workers: Workers];

/** Offer, accept, commit, on a session with one entry: five calls. */
const handingOver =
  (owner: Call, target: Call): Workers =>
  async (count) => {
    let serial = 0;
    return workersOf(count, () => async () => {
      const sessionKey = `handoff-${Date.now()}-${serial++}`;
      await owner('registerSession', { sessionKey, agentFrom: 'alice' });
      await owner('updateContext', { sessionKey, contextType: 'message', content: CONTENT });
      const offer = { sessionKey, targetAgent: 'bob', requestType: 'full_handoff' };
      const { handoffId } = await owner('requestHandoff', offer);
      await target('acceptHandoff', { handoffId });
      await owner('commitHandoff', { handoffId });
    });
  };

/** Round about, so that a slow moment of the machine hits all alike; the median of each. */
async function compare(contestants: readonly Contestant[], concurrency: number): Promise<Row[]> {
  const runs = contestants.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, [, workers]] of contestants.entries())
      runs[index]?.push(await measure(await workers(concurrency), timing));
  return contestants.map(([name], index) => {
    const own = runs[index] ?? [];
    const middle = (pick: (one: Measured) => number) => median(own.map(pick));
    return {
      name,
      concurrency,
      perSecond: middle((one) => one.perSecond),
      p50Ms: middle((one) => one.p50Ms),
      p99Ms: middle((one) => one.p99Ms),
      requests: own.reduce((sum, one) => sum + one.requests, 0),
    };
  });
}

const dataDir = mkdtempSync(join(tmpdir(), 'handover-bench-mcp-'));
const stdioDir = mkdtempSync(join(tmpdir(), 'handover-bench-mcp-'));
const echo = await startEchoMcp();
const server = await startServerProcess({ dataDir });
const agent = keptAgent(Math.max(...concurrencies));
const at = (token: string) => httpCaller(`${server.http}/mcp`, token, agent);
const echoHttp = httpCaller(echo.url, 'alice', agent);

// Code that has not run often is slow code: both are measured warm.
await measure(await echoing(echoHttp)(32), { warmupMs: 0, runMs: 5_000 });
await measure(await updating(at('alice'), 'alice')(32), { warmupMs: 0, runMs: 5_000 });

const rows: Row[] = [];
for (const concurrency of concurrencies)
  rows.push(
    ...(await compare(
      [
        ['echo over HTTP (bare)', echoing(echoHttp)],
        ['updateContext over HTTP', updating(at('alice'), 'alice')],
        ['full handoff over HTTP (5 calls)', handingOver(at('alice'), at('bob'))],
      ],
      concurrency,
    )),
  );
agent.destroy();
await server.stop('SIGTERM');

const echoStdio = stdioCaller([ECHO, 'stdio']);
const assistant = (name: string) =>
  stdioCaller([BINARY, 'mcp', '--agent', name, '--data-dir', stdioDir], {
    ...NO_RATE_LIMITS,
    HANDOVER_IDLE_SECS: '1',
  });
const alice = assistant('alice');
await alice.call('listHandoffs', {});
const bob = assistant('bob');
await bob.call('listHandoffs', {});
for (const concurrency of concurrencies)
  rows.push(
    ...(await compare(
      [
        ['echo over stdio (bare)', echoing(echoStdio.call)],
        ['updateContext over stdio', updating(alice.call, 'alice')],
        ['full handoff over stdio (5 calls)', handingOver(alice.call, bob.call)],
      ],
      concurrency,
    )),
  );
for (const process of [echoStdio, alice, bob]) process.close();
echo.stop();
console.table(
  rows.map(({ name, concurrency, perSecond, p50Ms, p99Ms }) => ({
    what: name,
    at: concurrency,
    'per second': Math.round(perSecond),
    'p50 ms': Number(p50Ms.toFixed(2)),
    'p99 ms': Number(p99Ms.toFixed(2)),
  })),
);
for (const place of ['HTTP', 'stdio'])
  for (const concurrency of concurrencies) {
    const rate = (name: string) =>
      rows.find((row) => row.concurrency === concurrency && row.name.startsWith(`${name} over ${place}`))
        ?.perSecond ?? 0;
    console.log(
      `updateContext / echo over ${place} at ${concurrency}: ${(rate('updateContext') / rate('echo')).toFixed(2)}`,
    );
  }
await new Promise((resolve) => setTimeout(resolve, 2_000));
rmSync(dataDir, { recursive: true, force: true });
rmSync(stdioDir, { recursive: true, force: true });
process.exit(0);

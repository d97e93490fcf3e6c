/**
 * Whole handoffs (start, offer, context, answer, commit) on bare gRPC, through the SDK, and with an answer that a worker of
 * another process gives: per second and p99, in one run against one durable server. Writes docs/reports/sdk-times.md.
 *
 *   npm run bench:sdk -- [seconds per row, 10] [page]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Auth, HandoffSession, MacpClient } from 'macp-sdk-typescript';
import { startServerProcess } from '../kit/server-process.js';
import { measure } from './measure.js';
import { benchSdk, CONCURRENCIES, CONTEXT, type SdkRow } from './sdk.js';
import { sdkReport } from './sdk-report.js';

const WORKER = fileURLToPath(new URL('worker-process.mjs', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/reports/sdk-times.md', import.meta.url));

async function startWorker(...args: readonly string[]): Promise<ChildProcess> {
  const worker = fork(WORKER, args, { execArgv: [] });
  await once(worker, 'message');
  return worker;
}

/** The owner says four of the five messages; the answer is the worker's, which decides when the context is there. */
async function benchWorker(address: string, runMs: number, folder: string): Promise<SdkRow[]> {
  const rows: SdkRow[] = [];
  for (const concurrency of CONCURRENCIES) {
    const client = new MacpClient({ address, auth: Auth.devAgent('alice') });
    const target = `bob-${concurrency}`;
    const worker = await startWorker(address, target, join(folder, target), String(concurrency));
    const waiting = new Map<string, () => void>();
    worker.on('message', (sessionId) => waiting.get(String(sessionId))?.());
    const handoff = async () => {
      const session = new HandoffSession(client);
      const { sessionId } = session;
      const answered = new Promise<void>((resolve) => waiting.set(sessionId, resolve));
      await session.start({ intent: 'bench', participants: [target], ttlMs: 60_000 });
      await session.offer({ handoffId: 'h1', targetParticipant: target, scope: 'bench' });
      await session.sendContext({ handoffId: 'h1', contentType: 'application/json', context: CONTEXT });
      await answered;
      waiting.delete(sessionId);
      await session.commit({ action: 'handoff.accepted', authorityScope: 'bench', reason: 'bench' });
    };
    const times = Array.from({ length: concurrency }, () => handoff);
    const measured = await measure(times, { runMs });
    rows.push({ name: 'handoff answered by a worker', concurrency, ...measured });
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    client.close();
  }
  return rows;
}

const [seconds = '10', page = PAGE] = process.argv.slice(2);
const secondsPerRow = Number(seconds);
const load = loadavg()[0] ?? 0;
const folder = mkdtempSync(join(tmpdir(), 'handover-bench-'));
const server = await startServerProcess({
  dataDir: join(folder, 'data'),
  env: { HANDOVER_LISTENERS_PER_PRINCIPAL: '1000' },
});
const runMs = secondsPerRow * 1_000;
const rows = [...(await benchSdk(server.grpc, runMs)), ...(await benchWorker(server.grpc, runMs, folder))];
await server.stop('SIGTERM');
rmSync(folder, { recursive: true });
const report = sdkReport({ secondsPerRow, load, rows });
writeFileSync(page, report);
console.log(`${report}\nwritten: ${page}`);

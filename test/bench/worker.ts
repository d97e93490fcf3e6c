/**
 * Whole handoffs (start, offer, context, answer, commit) on bare gRPC, through the SDK, and with an answer that a worker
 * gives: per second and p99, in one run against one durable server.
 *
 *   npm run bench:sdk -- [seconds per row]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Auth, HandoffSession, HandoffWorker, MacpClient } from 'macp-sdk-typescript';
import { startServerProcess } from '../kit/server-process.js';
import { measure } from './measure.js';
import { benchSdk, type SdkRow } from './sdk.js';

const CONCURRENCIES = [1, 64];
const context = Buffer.from(JSON.stringify({ repository: 'acme/web-app', notes: 'x'.repeat(300) }));

/** The owner says four of the five messages; the answer is the worker's, which decides when the context is there. */
async function benchWorker(address: string, runMs: number): Promise<SdkRow[]> {
  const rows: SdkRow[] = [];
  for (const concurrency of CONCURRENCIES) {
    const client = new MacpClient({ address, auth: Auth.devAgent('alice') });
    const bob = new MacpClient({ address, auth: Auth.devAgent(`bob-${concurrency}`) });
    const waiting = new Map<string, () => void>();
    const worker = new HandoffWorker({
      client: bob,
      concurrency,
      context: { firstMs: 2_000, quietMs: 0 },
      decide: () => true,
      onAnswered: ({ offer }) => waiting.get(offer.sessionId)?.(),
    });
    const run = worker.run();
    const handoff = async () => {
      const session = new HandoffSession(client);
      const { sessionId } = session;
      const answered = new Promise<void>((resolve) => waiting.set(sessionId, resolve));
      const targetParticipant = bob.senderHint();
      await session.start({ intent: 'bench', participants: [targetParticipant], ttlMs: 60_000 });
      await session.offer({ handoffId: 'h1', targetParticipant, scope: 'bench' });
      await session.sendContext({ handoffId: 'h1', contentType: 'application/json', context });
      await answered;
      waiting.delete(sessionId);
      await session.commit({ action: 'handoff.accepted', authorityScope: 'bench', reason: 'bench' });
    };
    const measured = await measure(
      Array.from({ length: concurrency }, () => handoff),
      { runMs },
    );
    rows.push({ name: 'handoff answered by a worker', concurrency, ...measured });
    await worker.stop();
    await run;
    client.close();
    bob.close();
  }
  return rows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dataDir = mkdtempSync(join(tmpdir(), 'handover-bench-'));
  const server = await startServerProcess({ dataDir, env: { HANDOVER_LISTENERS_PER_PRINCIPAL: '1000' } });
  const runMs = Number(process.argv[2] ?? 5) * 1_000;
  const rows = [...(await benchSdk(server.grpc, runMs)), ...(await benchWorker(server.grpc, runMs))];
  console.log('| what | at once | per second | p50 ms | p99 ms |\n| --- | ---: | ---: | ---: | ---: |');
  for (const { name, concurrency, perSecond, p50Ms, p99Ms } of rows) {
    const cells = [name, concurrency, Math.round(perSecond), p50Ms.toFixed(2), p99Ms.toFixed(2)];
    console.log(`| ${cells.join(' | ')} |`);
  }
  await server.stop('SIGTERM');
  rmSync(dataDir, { recursive: true });
}

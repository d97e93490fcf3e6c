/**
 * Whole handoffs (start, offer, context, accept, commit) through the TypeScript SDK against a durable server: per second
 * and p99, alone and many at once. Alone:
 *
 *   node --import tsx test/bench/sdk.ts [seconds per row]
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Auth, HandoffSession, MacpClient } from 'macp-sdk-typescript';
import { accept, commit, envelope, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { startServerProcess } from '../kit/server-process.js';
import { type Measured, measure } from './measure.js';

export interface SdkRow extends Measured {
  readonly name: string;
  readonly concurrency: number;
}

export const CONCURRENCIES = [1, 64];
export const CONTEXT = Buffer.from(
  JSON.stringify({ repository: 'acme/web-app', openIssues: 12, notes: 'x'.repeat(300) }),
);

/** Five messages and their five acknowledgements, one after another. */
async function handoff(client: MacpClient): Promise<void> {
  const session = new HandoffSession(client);
  await session.start({ intent: 'bench', participants: ['bob'], ttlMs: 60_000 });
  await session.offer({ handoffId: 'h1', targetParticipant: 'bob', scope: 'bench' });
  await session.sendContext({ handoffId: 'h1', contentType: 'application/json', context: CONTEXT });
  await session.acceptHandoff({ handoffId: 'h1', sender: 'bob' });
  await session.commit();
}

/** The yardstick: the same five envelopes on a bare gRPC client, without projection, checks or retries. */
async function bareHandoff(client: GrpcClient): Promise<void> {
  const id = randomUUID();
  const handoffId = 'h1';
  const said = [
    start(id, 'alice', { participants: ['alice', 'bob'] }),
    offer(id, handoffId, 'bob', 'alice'),
    envelope(id, 'alice', 'HandoffContext', { handoffId, contentType: 'application/json', context: CONTEXT }),
    accept(id, handoffId, 'bob'),
    commit(id, 'alice'),
  ];
  for (const message of said) if (!(await client.send(message)).ok) throw new Error(message.messageType);
}

/** Measures against a server at the address, in dev mode and with its rate limits raised. */
export async function benchSdk(address: string, runMs = 3_000): Promise<SdkRow[]> {
  const rows: SdkRow[] = [];
  for (const concurrency of CONCURRENCIES) {
    const times = (work: () => Promise<void>) => Array.from({ length: concurrency }, () => work);
    const bare = new GrpcClient(address);
    const yardstick = await measure(
      times(() => bareHandoff(bare)),
      { runMs },
    );
    bare.close();
    const client = new MacpClient({ address, auth: Auth.devAgent('alice') });
    const throughSdk = await measure(
      times(() => handoff(client)),
      { runMs },
    );
    client.close();
    rows.push({ name: 'handoff on bare gRPC', concurrency, ...yardstick });
    rows.push({ name: 'handoff through the SDK', concurrency, ...throughSdk });
  }
  return rows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dataDir = mkdtempSync(join(tmpdir(), 'handover-bench-'));
  const server = await startServerProcess({ dataDir });
  const rows = await benchSdk(server.grpc, Number(process.argv[2] ?? 3) * 1_000);
  console.table(
    rows.map(({ name, concurrency, perSecond, p50Ms, p99Ms }) => ({
      what: name,
      at: concurrency,
      'per second': Math.round(perSecond),
      'p50 ms': Number(p50Ms.toFixed(2)),
      'p99 ms': Number(p99Ms.toFixed(2)),
    })),
  );
  await server.stop('SIGTERM');
  rmSync(dataDir, { recursive: true });
}

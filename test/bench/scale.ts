/** Start-up and memory with many stored sessions, and with many idle subscribers. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { StreamFrame } from '@handover/wire';
import { context, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

export async function fill(client: GrpcClient, sessions: number): Promise<void> {
  const width = 256;
  for (let made = 0; made < sessions; made += width)
    await Promise.all(
      Array.from({ length: Math.min(width, sessions - made) }, async () => {
        const id = randomUUID();
        await client.send(start(id, 'owner', { ttlMs: 86_400_000 }));
        await client.send(offer(id, 'h1', 'a'));
      }),
    );
}

export async function startUp(dataDir: string, sessions: number) {
  const first = await startServerProcess({ dataDir });
  const client = new GrpcClient(first.grpc);
  await fill(client, sessions);
  client.close();
  await first.stop('SIGTERM');
  const again = await startServerProcess({ dataDir });
  const measured = { sessions, startMs: again.startedInMs, residentMiB: residentMiB(again.child.pid) };
  await again.stop('SIGTERM');
  return measured;
}

/** Subscribers over a few connections; then one message to one session that all of them follow. */
export async function idleSubscribers(server: ServerProcess, count: number) {
  const perConnection = 100;
  const sessionId = randomUUID();
  const owner = new GrpcClient(server.grpc);
  await owner.send(start(sessionId, 'owner', { ttlMs: 86_400_000 }));
  const before = residentMiB(server.child.pid);
  const clients = Array.from({ length: Math.ceil(count / perConnection) }, () => new GrpcClient(server.grpc));
  let seen = 0;
  let wanted = count;
  let done: () => void = () => {};
  const opened = performance.now();
  let reached = new Promise<void>((resolve) => {
    done = resolve;
  });
  for (let n = 0; n < count; n++) {
    const call = clients[n % clients.length]?.streamOfFrames('owner');
    call?.on('error', () => {});
    call?.on('data', (frame: StreamFrame) => {
      if (frame.kind === 'envelope' && ++seen === wanted) done();
    });
    call?.write({ subscribeSessionId: sessionId, afterSequence: 0 });
    if (n % 500 === 499) await new Promise((resolve) => setImmediate(resolve));
  }
  await reached;
  const openMs = performance.now() - opened;
  const after = residentMiB(server.child.pid);
  wanted = count * 2;
  reached = new Promise<void>((resolve) => {
    done = resolve;
  });
  const sent = performance.now();
  await owner.send(offer(sessionId, 'h1', 'a'));
  const ackMs = performance.now() - sent;
  await reached;
  const fanOutMs = performance.now() - sent;
  const idle = new GrpcClient(server.grpc);
  const other = randomUUID();
  await idle.send(start(other, 'owner', { ttlMs: 86_400_000 }));
  await idle.send(offer(other, 'h1', 'a'));
  const latencies: number[] = [];
  for (let i = 0; i < 200; i++) {
    const at = performance.now();
    await idle.send(context(other, 'h1', 'x'));
    latencies.push(performance.now() - at);
  }
  latencies.sort((a, b) => a - b);
  for (const client of [owner, idle, ...clients]) client.close();
  return {
    count,
    openMs,
    addedMiB: after - before,
    residentMiB: after,
    ackMs,
    fanOutMs,
    sendP99Ms: latencies[197] ?? 0,
  };
}

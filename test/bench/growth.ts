/** What a message costs when its session is long: the time of a sequential send at 100, 1,000 and 10,000 messages. */
import { randomUUID } from 'node:crypto';
import { context, offer, start } from '../kit/envelopes.js';
import type { GrpcClient } from '../kit/grpc-client.js';
import { median } from './measure.js';

export interface GrowthPoint {
  readonly messages: number;
  readonly msPerMessage: number;
}

const WINDOW = 400;

/** Two sessions of the same server are measured in alternation, a young one and an old one, so that noise hits both. */
export async function growth(client: GrpcClient): Promise<{ points: GrowthPoint[]; ratio: number }> {
  const points: GrowthPoint[] = [];
  for (const messages of [100, 1_000, 10_000]) {
    const [young, old] = [await grown(client, 100), await grown(client, messages)];
    const samples: { young: number[]; old: number[] } = { young: [], old: [] };
    for (let i = 0; i < WINDOW; i++) {
      samples.young.push(await timed(client, young));
      samples.old.push(await timed(client, old));
    }
    points.push({ messages, msPerMessage: median(samples.old) });
    if (messages === 10_000) return { points, ratio: median(samples.old) / median(samples.young) };
  }
  return { points, ratio: Number.NaN };
}

async function grown(client: GrpcClient, messages: number): Promise<string> {
  const sessionId = randomUUID();
  await client.send(start(sessionId, 'owner', { ttlMs: 86_400_000 }));
  await client.send(offer(sessionId, 'h1', 'a'));
  for (let sent = 2; sent < messages; sent += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, messages - sent) }, () =>
        client.send(context(sessionId, 'h1', 'x'.repeat(300))),
      ),
    );
  return sessionId;
}

async function timed(client: GrpcClient, sessionId: string): Promise<number> {
  const message = context(sessionId, 'h1', 'x'.repeat(300));
  const before = performance.now();
  const ack = await client.send(message);
  if (!ack.ok) throw new Error(ack.error?.code);
  return performance.now() - before;
}

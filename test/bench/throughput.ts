/** Durable Send and StreamSession per second, beside the bare echoes, alternating in the same run. */
import { randomUUID } from 'node:crypto';
import { connect as http2Connect } from 'node:http2';
import { encodeSendRequest, type StreamFrame } from '@handover/wire';
import { context, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { type Measured, measure, median } from './measure.js';

export interface Row {
  readonly name: string;
  readonly concurrency: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const TEXT = 'x'.repeat(300);

/** One worker per session; each message is a context of a few hundred bytes under a new id. */
export async function sendWorkers(
  client: GrpcClient,
  count: number,
  prepare: boolean,
): Promise<(() => Promise<void>)[]> {
  const workers: (() => Promise<void>)[] = [];
  for (let n = 0; n < count; n++) {
    const sessionId = randomUUID();
    if (prepare) {
      await client.send(start(sessionId, 'owner', { ttlMs: 86_400_000 }));
      await client.send(offer(sessionId, 'h1', 'a'));
    }
    workers.push(async () => {
      const ack = await client.send(context(sessionId, 'h1', TEXT));
      if (!ack.ok) throw new Error(`${ack.error?.code}: ${ack.error?.message}`);
    });
  }
  return workers;
}

/** The same through streams: a message is done when it has come back. */
export async function streamWorkers(
  client: GrpcClient,
  count: number,
  prepare: boolean,
): Promise<(() => Promise<void>)[]> {
  const workers: (() => Promise<void>)[] = [];
  for (let n = 0; n < count; n++) {
    const sessionId = randomUUID();
    if (prepare) {
      await client.send(start(sessionId, 'owner', { ttlMs: 86_400_000 }));
      await client.send(offer(sessionId, 'h1', 'a'));
    }
    const call = client.streamOfFrames('owner');
    call.on('error', () => {});
    let done: (() => void) | undefined;
    call.on('data', (frame: StreamFrame) => {
      if (frame.kind === 'error') throw new Error(frame.error.code);
      done?.();
    });
    workers.push(
      () =>
        new Promise((resolve) => {
          done = resolve;
          call.write({ envelope: context(sessionId, 'h1', TEXT), subscribeSessionId: '', afterSequence: 0 });
        }),
    );
  }
  return workers;
}

export function http2Workers(
  port: number,
  count: number,
): { workers: (() => Promise<void>)[]; close: () => void } {
  const session = http2Connect(`http://127.0.0.1:${port}`);
  const body = Buffer.from(encodeSendRequest(context(randomUUID(), 'h1', TEXT)));
  const headers = {
    ':method': 'POST',
    ':path': '/macp.v1.MACPRuntimeService/Send',
    'content-type': 'application/grpc',
    te: 'trailers',
  };
  const request = () =>
    new Promise<void>((resolve, reject) => {
      const stream = session.request(headers);
      stream.on('data', () => {});
      stream.on('end', resolve);
      stream.on('error', reject);
      stream.end(body);
    });
  return { workers: Array.from({ length: count }, () => request), close: () => session.close() };
}

type Make = (count: number) => Promise<{ workers: (() => Promise<void>)[]; close?: () => void }>;

/** Alternates the contestants, several times, and takes the median of each: machines are noisy. */
export async function compare(
  contestants: readonly (readonly [string, Make])[],
  concurrency: number,
  rounds: number,
): Promise<Row[]> {
  const runs = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, make] of contestants) {
      const { workers, close } = await make(concurrency);
      const measured = await measure(workers);
      close?.();
      runs.set(name, [...(runs.get(name) ?? []), measured]);
    }
  return contestants.map(([name]) => {
    const all = runs.get(name) ?? [];
    const of = (pick: (m: Measured) => number) => median(all.map(pick));
    return {
      name,
      concurrency,
      perSecond: of((m) => m.perSecond),
      p50Ms: of((m) => m.p50Ms),
      p99Ms: of((m) => m.p99Ms),
    };
  });
}

export const grpcContestant =
  (address: string, prepare: boolean): Make =>
  async (count) => {
    const client = new GrpcClient(address);
    return { workers: await sendWorkers(client, count, prepare), close: () => client.close() };
  };

/** A connection carries a limited number of streams at once, so many streams are spread over several. */
const STREAMS_PER_CONNECTION = 64;

export const streamContestant =
  (address: string, prepare: boolean): Make =>
  async (count) => {
    const clients: GrpcClient[] = [];
    const workers: (() => Promise<void>)[] = [];
    for (let left = count; left > 0; left -= STREAMS_PER_CONNECTION) {
      const client = new GrpcClient(address);
      clients.push(client);
      workers.push(...(await streamWorkers(client, Math.min(left, STREAMS_PER_CONNECTION), prepare)));
    }
    const close = () => {
      for (const client of clients) client.close();
    };
    return { workers, close };
  };

/**
 * hardening:H5: a start is written into the lists of everybody whom it names. So one with a thousand names takes ten places
 * of the rate, and sixty of them in a minute cannot hold the store.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Server } from '../../packages/server/src/server.js';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { openServer } from '../kit/server.js';

const LIMIT = 25;

let server: Server;
let grpc: GrpcClient;
beforeAll(async () => {
  server = await openServer({ env: { MACP_SESSION_START_LIMIT_PER_MINUTE: String(LIMIT) } });
  grpc = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`);
});
afterAll(async () => {
  grpc.close();
  await server.close(AbortSignal.timeout(1_000));
});

/** How many starts with so many participants are taken, and what the next one is told. */
async function taken(agent: string, names: number): Promise<readonly [number, string | undefined]> {
  const participants = [agent, ...Array.from({ length: names - 1 }, (_, n) => `p${n}`)];
  for (let count = 0; ; count++) {
    const { error } = await grpc.send(start(`session-${agent}-number-${count}`, agent, { participants }));
    if (error || count > LIMIT) return [count, error?.code];
  }
}

it('takes as many small starts as the limit says, and few with a thousand names', async () => {
  expect(await taken('small', 2)).toEqual([LIMIT, 'RATE_LIMITED']);
  expect(await taken('hundred', 100)).toEqual([LIMIT, 'RATE_LIMITED']);
  expect(await taken('large', 1_000)).toEqual([2, 'RATE_LIMITED']);
});

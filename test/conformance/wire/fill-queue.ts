/**
 * Fills a queue of one: somebody else's session is started and held at the store. The next request finds no room; after
 * it the held one is let go. The server must have been started with HANDOVER_QUEUE_MAX_COMMANDS=1.
 */
import { randomUUID } from 'node:crypto';
import { start } from '../../kit/envelopes.js';
import type { TestServer } from '../../kit/test-server.js';
import { ADMIN, type Agents } from './agents.js';
import { createGrpcDoor } from './grpc-door.js';

export async function fillQueue(server: TestServer, agents: Agents): Promise<() => Promise<void>> {
  const hold = server.store.holdNextCommit();
  const door = createGrpcDoor(server.grpc);
  const { payload: bytes, ...head } = start(randomUUID(), ADMIN);
  const blocked = door.send({ head, payload: { bytes } }, agents.bearer(ADMIN));
  await hold.reached;
  return async () => {
    hold.release();
    await blocked.finally(() => door.close());
  };
}

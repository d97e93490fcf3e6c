/** The gRPC door on a world: a real socket, agents with tokens, in memory, with a clock that the test moves. */
import { GrpcClient } from '../../../../../../test/kit/grpc-client.js';
import { createWorld, type WorldOptions } from '../../../../../../test/kit/world.js';
import { createGrpcDoor } from '../door.js';

/** The token of an agent is its name with `-token`. */
const TOKENS = [
  { sender: 'alice' },
  { sender: 'bob' },
  { sender: 'carol' },
  { sender: 'mallory' },
  { sender: 'admin', can_manage_mode_registry: true },
  { sender: 'watcher', is_observer: true },
  { sender: 'alien', tenant: 'elsewhere' },
  { sender: 'reader', can_start_sessions: false },
].map((item) => ({ token: `${item.sender}-token`, ...item }));

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld(options: WorldOptions = {}) {
  const world = createWorld({
    clock: { now: Date.now() },
    ...options,
    env: { MACP_AUTH_TOKENS_JSON: JSON.stringify(TOKENS), ...options.env },
  });
  const { configuration, services, log } = world;
  const door = createGrpcDoor({ configuration, services, log });
  const { port } = await door.listen();
  const address = `127.0.0.1:${port}`;
  const clients: GrpcClient[] = [];
  return {
    ...world,
    door,
    port,
    address,
    client(agent?: string): GrpcClient {
      const client = new GrpcClient(address, { bearer: agent === undefined ? null : `${agent}-token` });
      clients.push(client);
      return client;
    },
    async close(): Promise<void> {
      for (const client of clients) client.close();
      await door.close();
      await world.engine.close();
    },
  };
}

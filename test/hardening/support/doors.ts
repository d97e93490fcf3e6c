/**
 * The doors of a server on real sockets, with a view of what the server holds behind them. In dev mode, so that a bearer
 * is the agent of that name: an attack can have as many identities as it likes.
 */

import { createMemoryStore } from '@handover/engine';
import { createGrpcDoor } from '../../../packages/server/src/doors/grpc/door.js';
import { createHttpDoor } from '../../../packages/server/src/doors/http/door.js';
import { createMcpDoor } from '../../../packages/server/src/doors/mcp/door.js';
import { PROMPTS } from '../../../packages/server/src/doors/mcp/prompts/prompts.js';
import {
  type CatalogueDependencies,
  createCatalogue,
} from '../../../packages/server/src/doors/mcp/resources/catalogue.js';
import { handoffToolSets } from '../../../packages/server/src/doors/mcp/tools/index.js';
import { AgentDirectory } from '../../../packages/server/src/services/agents/agent-directory.js';
import { LargeWork } from '../../../packages/server/src/services/large/large-work.js';
import { GrpcClient } from '../../kit/grpc-client.js';
import { createWorld, handoffsOf, type WorldOptions } from '../../kit/world.js';

export type Doors = Awaited<ReturnType<typeof openDoors>>;

export async function openDoors(options: WorldOptions = {}) {
  const world = createWorld({ clock: { now: Date.now() }, ...options });
  const { configuration, services, log, deps, engine } = world;
  const handoffs = handoffsOf(world);
  const nothing = {} as CatalogueDependencies['configuration'] & CatalogueDependencies['operations'];
  const grpc = createGrpcDoor({ configuration, services, log });
  const large = new LargeWork();
  const directory = new AgentDirectory({ agents: createMemoryStore().agents, now: deps.now, log });
  const mcp = createMcpDoor({
    deps,
    handoffs,
    directory,
    toolSets: handoffToolSets({
      handoffs,
      configuration: nothing,
      directory,
      toolSets: [],
      server: { version: 'test', since: 0 },
      now: deps.now,
    }),
    resources: createCatalogue({
      handoffs,
      configuration: nothing,
      operations: nothing,
      metrics: deps.metrics,
      health: () => ({ ok: true, name: 'handover', version: 'test' }),
      now: deps.now,
    }),
    prompts: PROMPTS,
    large,
    serverName: () => 'handover',
    log,
    metadata: { issuers: [] },
  });
  const http = createHttpDoor({ configuration, services, log, mount: (app) => mcp.mount(app) });
  const [{ port }, { url }] = await Promise.all([grpc.listen(), http.listen()]);
  const clients: GrpcClient[] = [];
  return {
    ...world,
    handoffs,
    mcp,
    /** HTTP without its socket: an answer is read as slowly as the test reads it. */
    app: http.app,
    grpc,
    grpcPort: port,
    http: url,
    mcpUrl: new URL('/mcp', url),
    /** A connection of its own. */
    client(bearer: string, at = port): GrpcClient {
      const client = new GrpcClient(`127.0.0.1:${at}`, { bearer });
      clients.push(client);
      return client;
    },
    async close(): Promise<void> {
      for (const client of clients) client.close();
      await Promise.all([mcp.close(), grpc.close(AbortSignal.timeout(200)), http.close(200)]);
      await large.close();
      await engine.close();
    },
  };
}

/** The highest value that something had, looked at very often. */
export function highest(look: () => number): { readonly value: number; stop(): void } {
  const seen = { value: look(), stop: () => clearInterval(timer) };
  const timer = setInterval(() => {
    seen.value = Math.max(seen.value, look());
  }, 1);
  return seen;
}

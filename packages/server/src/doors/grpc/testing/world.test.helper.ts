/** A whole server behind a real socket, in memory, with a clock that the test moves. */

import { createMemoryStore, type Store } from '@handover/engine';
import { createDependencies } from '../../../compose/dependencies.js';
import { readConfiguration } from '../../../config/configuration.js';
import { type Log, silentLog } from '../../../observe/log.js';
import type { ServiceDependencies } from '../../../services/dependencies.js';
import { createMacpServices } from '../../../services/macp/macp-services.js';
import { createGrpcDoor, type GrpcDoor } from '../door.js';
import { TestClient } from './client.test.helper.js';

/** Token of an agent is its name with `-token`. */
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

export interface World {
  readonly deps: ServiceDependencies;
  readonly door: GrpcDoor;
  readonly port: number;
  readonly clock: { now: number };
  client(agent?: string): TestClient;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly policiesFromFiles?: boolean;
  readonly store?: Store;
  readonly log?: Log;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { settings = {}, log = silentLog } = options;
  const configuration = readConfiguration({
    MACP_BIND_ADDR: '127.0.0.1:0',
    MACP_ALLOW_INSECURE: '1',
    MACP_MEMORY_ONLY: '1',
    MACP_AUTH_TOKENS_JSON: JSON.stringify(TOKENS),
    MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000',
    MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000',
    ...settings,
  });
  const clock = { now: Date.now() };
  const made = createDependencies(configuration, options.store ?? createMemoryStore(), log, () => clock.now);
  const deps = { ...made, policiesFromFiles: options.policiesFromFiles ?? false };
  const door = createGrpcDoor({ configuration, services: createMacpServices(deps), log });
  const { port } = await door.listen();
  const clients: TestClient[] = [];
  return {
    deps,
    door,
    port,
    clock,
    client(agent) {
      const client = new TestClient(port, agent === undefined ? undefined : `Bearer ${agent}-token`);
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.close();
      await door.close();
      await deps.engine.close();
    },
  };
}

/** A whole server in this process, on real sockets, with its store in memory unless told. */
import type { ConfigurationFlags } from '../../packages/server/src/config/configuration.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { type Server, type ServerOptions, startServer } from '../../packages/server/src/server.js';
import { type TestEnv, testConfiguration } from './configuration.js';

export interface OpenServerOptions extends Partial<ServerOptions> {
  /** With credentials in it the server is not in dev mode. */
  readonly env?: TestEnv;
  readonly flags?: ConfigurationFlags;
}

export function openServer({ env, flags, ...options }: OpenServerOptions = {}): Promise<Server> {
  return startServer(testConfiguration(env, flags), { log: silentLog, ...options });
}

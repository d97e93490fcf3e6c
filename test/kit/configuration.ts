import {
  type Configuration,
  type ConfigurationFlags,
  readConfiguration,
} from '../../packages/server/src/config/configuration.js';
import { NO_RATE_LIMITS } from './no-rate-limits.js';

export type TestEnv = Readonly<Record<string, string>>;

/** Free ports of loopback, store in memory, no rate limits, unless told; dev mode unless there are credentials. */
export function testConfiguration(env: TestEnv = {}, flags: ConfigurationFlags = {}): Configuration {
  const dev = !Object.keys(env).some((name) => /^MACP_AUTH|^MACP_TLS_CLIENT/.test(name));
  const places = { MCP_HTTP_PORT: '0', MACP_BIND_ADDR: '127.0.0.1:0', MACP_ALLOW_INSECURE: '1' };
  const memoryOnly = flags.dataDir === undefined;
  return readConfiguration({ ...places, ...NO_RATE_LIMITS, ...env }, { dev, memoryOnly, ...flags });
}

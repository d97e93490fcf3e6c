/** A whole server in this process, on real sockets, with its log in memory; closed with the test file. */
import { afterAll } from 'vitest';
import { readConfiguration } from '../../../packages/server/src/config/configuration.js';
import { type Log, silentLog } from '../../../packages/server/src/observe/log.js';
import { type Server, startServer } from '../../../packages/server/src/server.js';
import { NO_RATE_LIMITS } from '../../kit/server-process.js';

export interface McpTestServerOptions {
  /** With credentials in it the server is not in dev mode. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: Log;
  readonly now?: () => number;
}

export interface McpTestServer extends Server {
  /** Of `/mcp`. */
  readonly url: URL;
}

export async function openMcpServer({
  env = {},
  log = silentLog,
  now,
}: McpTestServerOptions = {}): Promise<McpTestServer> {
  const dev = !Object.keys(env).some((name) => name.startsWith('MACP_AUTH'));
  const places = { MCP_HTTP_PORT: '0', MACP_BIND_ADDR: '127.0.0.1:0', MACP_ALLOW_INSECURE: '1' };
  const configuration = readConfiguration(
    { ...places, ...NO_RATE_LIMITS, ...env },
    { dev, memoryOnly: true },
  );
  const server = await startServer(configuration, { log, ...(now && { now }) });
  return { ...server, url: new URL('/mcp', server.httpUrl) };
}

/** The same, for one test file. */
export async function useMcpServer(options: McpTestServerOptions = {}): Promise<McpTestServer> {
  const server = await openMcpServer(options);
  afterAll(() => server.close(AbortSignal.timeout(1_000)));
  return server;
}

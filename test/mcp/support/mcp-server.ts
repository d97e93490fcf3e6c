/** A whole server in this process and the address of its `/mcp`; closed with the test file. */
import { afterAll } from 'vitest';
import type { Server } from '../../../packages/server/src/server.js';
import { type OpenServerOptions, openServer } from '../../kit/server.js';

export interface McpTestServer extends Server {
  /** Of `/mcp`. */
  readonly url: URL;
}

export async function openMcpServer(options: OpenServerOptions = {}): Promise<McpTestServer> {
  const server = await openServer(options);
  return { ...server, url: new URL('/mcp', server.httpUrl) };
}

/** The same, for one test file. */
export async function useMcpServer(options: OpenServerOptions = {}): Promise<McpTestServer> {
  const server = await openMcpServer(options);
  afterAll(() => server.close(AbortSignal.timeout(1_000)));
  return server;
}

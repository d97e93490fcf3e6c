/** A real server for one test file, and clients of it that are closed with it. */
import { Auth, MacpClient, type MacpClientOptions } from 'macp-sdk-typescript';
import { afterAll, beforeAll } from 'vitest';
import {
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from '../../support/server-process.js';

/** The largest that the server takes. */
const NO_LIMITS = {
  MACP_SESSION_START_LIMIT_PER_MINUTE: '1000000',
  MACP_MESSAGE_LIMIT_PER_MINUTE: '1000000',
};

export const startTestServer = (options: ServerProcessOptions = {}): Promise<ServerProcess> =>
  startServerProcess({ ...options, env: { ...NO_LIMITS, ...options.env } });

export function useServer(options: ServerProcessOptions = {}) {
  let server: ServerProcess | undefined;
  const clients: MacpClient[] = [];
  beforeAll(async () => {
    server = await startTestServer(options);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await server?.kill('SIGTERM');
  });
  const address = () => server?.grpc ?? '';
  return {
    address,
    /** A client of a named agent. */
    as(agent: string, overrides: Partial<MacpClientOptions> = {}): MacpClient {
      const client = new MacpClient({ address: address(), auth: Auth.devAgent(agent), ...overrides });
      clients.push(client);
      return client;
    },
  };
}

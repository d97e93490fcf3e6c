/** A real server for one test file, and clients of it that are closed with it. */
import { Auth, MacpClient, type MacpClientOptions } from 'macp-sdk-typescript';
import { afterAll, beforeAll } from 'vitest';
import {
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from '../../kit/server-process.js';

export function useServer(options: ServerProcessOptions = {}) {
  let server: ServerProcess | undefined;
  const clients: MacpClient[] = [];
  beforeAll(async () => {
    server = await startServerProcess(options);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await server?.stop('SIGTERM');
  });
  const address = () => server?.grpc ?? '';
  return {
    address,
    http: () => server?.http ?? '',
    /** A client of a named agent. */
    as(agent: string, overrides: Partial<MacpClientOptions> = {}): MacpClient {
      const client = new MacpClient({ address: address(), auth: Auth.devAgent(agent), ...overrides });
      clients.push(client);
      return client;
    },
  };
}

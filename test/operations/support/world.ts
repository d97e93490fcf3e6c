/** A whole server in this process, with a clock and a chain that the test moves; MCP and pages over real sockets. */
import { createMemoryStore, type Store } from '@handover/engine';
import { afterAll } from 'vitest';
import type { ChainReader } from '../../../packages/server/src/chain/port.js';
import { readConfiguration } from '../../../packages/server/src/config/configuration.js';
import { type Log, silentLog } from '../../../packages/server/src/observe/log.js';
import { startServer } from '../../../packages/server/src/server.js';
import { connectHttp } from '../../kit/mcp-clients.js';
import { NO_RATE_LIMITS } from '../../kit/server-process.js';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
export type Wire = any;

export interface WorldOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly chains?: ChainReader;
  readonly log?: Log;
  readonly store?: Store;
}

const NO_PAGE_LIMITS = {
  MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '1000000',
  MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '1000000',
};

export async function openWorld(options: WorldOptions = {}) {
  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const places = { MCP_HTTP_PORT: '0', MACP_BIND_ADDR: '127.0.0.1:0', MACP_ALLOW_INSECURE: '1' };
  const env = { ...places, ...NO_RATE_LIMITS, ...NO_PAGE_LIMITS, ...options.env };
  const dev = !Object.keys(env).some((name) => name.startsWith('MACP_AUTH'));
  const store = options.store ?? createMemoryStore();
  const server = await startServer(readConfiguration(env, { dev, memoryOnly: true }), {
    log: options.log ?? silentLog,
    now: () => clock.now,
    store,
    ...(options.chains && { chains: options.chains }),
  });
  const clients = new Map<string, ReturnType<typeof connectHttp>>();
  const tool = async (agent: string, name: string, args: object = {}): Promise<Wire> => {
    const client = clients.get(agent) ?? connectHttp(new URL('/mcp', server.httpUrl), agent);
    clients.set(agent, client);
    const result = (await (
      await client
    ).callTool({ name, arguments: args as Record<string, unknown> })) as Wire;
    if (JSON.stringify(result.structuredContent.data) !== result.content[0].text)
      throw new Error('text and structuredContent differ');
    return { ...result, data: result.structuredContent.data };
  };
  const api = async (
    path: string,
    asked: { secret?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Wire> => {
    const { secret, body, headers } = asked;
    const answer = await fetch(new URL(path, server.httpUrl), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(secret !== undefined && { authorization: `Handoff ${secret}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: text.startsWith('{') ? JSON.parse(text) : undefined,
    };
  };
  const close = async () => {
    for (const client of clients.values()) await (await client).close();
    await server.close(AbortSignal.timeout(1_000));
  };
  return { server, clock, tool, api, store, close };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function useWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options);
  afterAll(() => world.close());
  return world;
}

/** The secret in a URL that a create tool returned. */
export function secretIn(url: string): string {
  const [, secret] = /#k=([A-Za-z0-9_-]{43})$/.exec(url) ?? [];
  if (secret === undefined) throw new Error('no secret in the URL');
  return secret;
}

export async function until<T>(look: () => Promise<T> | T, wanted: (value: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const value = await look();
    if (wanted(value)) return value;
    if (tries > 200) throw new Error(`never came: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** A whole server in this process, with a clock and a chain that the test moves; MCP and pages over real sockets. */
import { createMemoryStore, type Store } from '@handover/engine';
import { afterAll } from 'vitest';
import type { ChainReader } from '../../../packages/server/src/chain/port.js';
import type { Log } from '../../../packages/server/src/observe/log.js';
import { createClock } from '../../kit/clock.js';
import { connectHttp } from '../../kit/mcp-clients.js';
import { valueIn } from '../../kit/mcp-results.js';
import { openServer } from '../../kit/server.js';

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

export async function openWorld({ env, store = createMemoryStore(), ...options }: WorldOptions = {}) {
  const clock = createClock(Date.parse('2026-11-15T12:00:00Z'));
  const server = await openServer({
    env: { ...NO_PAGE_LIMITS, ...env },
    now: () => clock.now,
    store,
    ...options,
  });
  const clients = new Map<string, ReturnType<typeof connectHttp>>();
  const tool = async (agent: string, name: string, args: object = {}): Promise<Wire> => {
    const client = clients.get(agent) ?? connectHttp(new URL('/mcp', server.httpUrl), agent);
    clients.set(agent, client);
    const result = (await (
      await client
    ).callTool({ name, arguments: args as Record<string, unknown> })) as Wire;
    return { ...result, data: valueIn(result) };
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

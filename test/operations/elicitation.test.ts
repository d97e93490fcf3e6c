/** A client that can open URLs is asked to; one that cannot gets the URL in the result. Both eras of the protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { RequestStates } from '../../packages/server/src/services/operations/request-state.js';
import { bearer, ERAS, type Era } from '../kit/mcp-clients.js';
import { valueIn } from '../kit/mcp-results.js';
import { O1 } from './support/examples.js';
import { FakeChain, readerOf } from './support/fake-chain.js';
import { secretIn, useWorld } from './support/world.js';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
type Loose = any;
const world = await useWorld({ chains: readerOf(new FakeChain(1879)) });

async function create(era: Era, action: 'accept' | 'decline' | 'cancel') {
  const asked: Loose[] = [];
  const capabilities = { elicitation: { url: {} } };
  const negotiation = era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'opens-urls', version: '1.0.0' }, { capabilities, ...negotiation });
  client.setRequestHandler('elicitation/create', (request: Loose) => {
    asked.push(request.params);
    return { action };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', world.server.httpUrl), {
      requestInit: bearer('alice'),
    }),
  );
  const result = (await client.callTool({
    name: 'create_operation_handoff',
    arguments: { ...O1(), ttlSeconds: 600 },
  })) as Loose;
  await client.close();
  return { asked, data: valueIn(result) as Loose };
}

describe.each(ERAS)('URL elicitation, %s', (era) => {
  it('the page is shown to the user, and the result still carries the URL', async () => {
    const { asked, data } = await create(era, 'accept');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      mode: 'url',
      url: data.operationUrl,
      message: expect.stringContaining(data.digest),
    });
    expect(asked[0].message).not.toContain('INV-7');
    secretIn(data.operationUrl);
    expect(data.status).toBe('pending_user_action');
  });

  it('declining cancels it', async () => {
    const { data } = await create(era, 'decline');
    expect(data.status).toBe('cancelled');
    expect(data).not.toHaveProperty('operationUrl');
  });

  it('closing the question leaves it pending', async () => {
    const { data } = await create(era, 'cancel');
    expect(data.status).toBe('pending_user_action');
    secretIn(data.operationUrl);
  });
});

describe('what the client carries between the rounds', () => {
  it('is refused by the protocol when it was not made here, and nothing is made', async () => {
    const client = new Client(
      { name: 'changes-states', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' as const } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', world.server.httpUrl), {
        requestInit: bearer('carla'),
      }),
    );
    const params = { name: 'create_operation_handoff', arguments: { ...O1(), ttlSeconds: 600 } };
    await expect(
      client.callTool({
        ...params,
        requestState: 'forged',
        inputResponses: { open: { action: 'accept' } },
      } as Loose),
    ).rejects.toMatchObject({ code: -32_602 });
    const list = (await client.callTool({ name: 'list_recent_operations', arguments: {} })) as Loose;
    expect(valueIn(list)).toEqual([]);
    await client.close();
  });

  const who = (agent: string) => ({
    tenant: 'default',
    agent,
    scopes: new Set<string>(),
    canStartSessions: true,
    canManageModeRegistry: false,
    isObserver: false,
  });
  const states = new RequestStates(new Uint8Array(32).fill(7), () => clock.now);
  const clock = { now: 1_000 };
  const round = { id: 'op_x', url: 'https://h/#k=secret', extra: {} };

  it('opens for the caller and the tool it was made for, in time, and for nobody else', () => {
    const state = states.seal(who('alice'), 'tool', round);
    expect(Buffer.from(state, 'base64url').toString('latin1')).not.toContain('secret');
    expect(states.open(who('alice'), 'tool', state)).toEqual(round);
    expect(states.open(who('mallory'), 'tool', state)).toBeUndefined();
    expect(states.open(who('alice'), 'other', state)).toBeUndefined();
    expect(
      states.open(who('alice'), 'tool', `${state.startsWith('A') ? 'B' : 'A'}${state.slice(1)}`),
    ).toBeUndefined();
    expect(states.open(who('alice'), 'tool', '')).toBeUndefined();
    clock.now += 86_400_001;
    expect(states.open(who('alice'), 'tool', state)).toBeUndefined();
  });
});

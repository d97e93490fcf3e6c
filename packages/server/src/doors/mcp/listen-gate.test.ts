import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Subscription } from './changes/subscriptions.js';
import { ListenGate } from './listen-gate.js';

const MOST = fixedLimits.mcpAddressesPerListener.value;

/** A gate between a wire that the test holds and an SDK that only notes what it gets. */
async function setUp() {
  const sent: JSONRPCMessage[] = [];
  const passed: JSONRPCRequest[] = [];
  const followed = new Set<string>();
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const state = { holds: false, fails: false, full: false };
  const wire: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void sent.push(message),
  };
  const subscription: Subscription = {
    follow: async (uri) => {
      asked.push(uri);
      if (state.holds) await new Promise<void>((resolve) => held.push(resolve));
      if (state.fails) throw new Error('the store is away');
      if (state.full) return 'full';
      if (uri.startsWith('hidden')) return 'unseen';
      followed.add(uri);
      return 'followed';
    },
    unfollow: (uri) => void followed.delete(uri),
    close: () => {},
  };
  const gate = new ListenGate(
    wire,
    () => ({ value: subscription }),
    () => {},
  );
  gate.onmessage = (message) => void passed.push(message as JSONRPCRequest);
  await gate.start();
  const listen = (id: number, uris: readonly string[]) =>
    wire.onmessage?.({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: [...uris] } },
    });
  const cancel = (requestId: number) =>
    wire.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { gate, sent, passed, followed, asked, held, state, listen, cancel, settled };
}

const urisOf = ({ params }: JSONRPCRequest): unknown =>
  (params?.notifications as { resourceSubscriptions: unknown } | undefined)?.resourceSubscriptions;

describe('the gate of a connection', () => {
  it('passes a listen request on with what the caller may see', async () => {
    const { listen, passed, settled } = await setUp();
    listen(1, ['a', 'hidden', 'b', 'a']);
    await settled();
    expect(passed.map(urisOf)).toEqual([['a', 'b']]);
  });

  it('refuses too many addresses before it looks at one', async () => {
    const { listen, passed, sent, asked, settled } = await setUp();
    listen(
      1,
      Array.from({ length: MOST + 1 }, () => 'a'),
    );
    await settled();
    expect([passed, asked]).toEqual([[], []]);
    expect(sent).toMatchObject([{ id: 1, error: { code: -32_602 } }]);
  });

  it('refuses too many listen requests, and takes one again when one is cancelled', async () => {
    const { listen, cancel, passed, sent, settled } = await setUp();
    const most = fixedLimits.mcpListensPerConnection.value;
    for (let id = 0; id <= most; id++) {
      listen(id, ['a']);
      await settled();
    }
    expect([passed.length, sent.length]).toEqual([most, 1]);
    expect(sent[0]).toMatchObject({ id: most, error: { message: expect.stringContaining('64 listen') } });
    cancel(3);
    listen(1_000, ['a']);
    await settled();
    expect(passed.at(-1)?.id).toBe(1_000);
  });

  it('unfollows what no other request needs when one is cancelled, also while it is being judged', async () => {
    const { listen, cancel, passed, followed, held, state, settled } = await setUp();
    listen(1, ['shared']);
    await settled();
    state.holds = true;
    listen(2, ['shared', 'own', 'never']);
    for (let n = 0; n < 2; n++) {
      if (n === 1) cancel(2);
      held.shift()?.();
      await settled();
    }
    expect([...followed]).toEqual(['shared']);
    expect(held, 'the third is not looked up').toEqual([]);
    expect(passed.filter(({ id }) => id === 2)).toEqual([]);
    cancel(1);
    expect([...followed]).toEqual([]);
  });

  it('leaves nothing behind when the SDK refuses, when too many are followed, when the look-up fails', async () => {
    const { gate, listen, followed, sent, state, settled } = await setUp();
    listen(1, ['a']);
    await settled();
    await gate.send({ jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'no' } });
    expect([...followed]).toEqual([]);
    state.full = true;
    listen(2, ['b']);
    await settled();
    expect(sent.at(-1)).toMatchObject({ id: 2, error: { message: expect.stringContaining('256') } });
    state.full = false;
    state.fails = true;
    listen(3, ['c']);
    await settled();
    expect(sent.at(-1)).toMatchObject({ id: 3, error: { message: expect.stringContaining('try again') } });
    expect([...followed]).toEqual([]);
  });
});

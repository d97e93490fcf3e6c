/** review:H9: an agent that lost the answer of a create gets another link to the same request, and nobody else does. */
import { createMemoryStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { B1, O1, S1 } from './support/examples.js';
import { openWorld, secretIn, useWorld, type Wire } from './support/world.js';

const world = await useWorld();
let keys = 0;

const wanted = (over: object = {}) => {
  keys += 1;
  return { ...O1(), chainId: 777, idempotencyKey: `key-${keys}`, ...over };
};

async function create(args: object, agent = 'alice'): Promise<Wire> {
  return (await world.tool(agent, 'create_operation_handoff', args)).data;
}

const read = (id: string, url: string) => world.api(`/api/operations/${id}`, { secret: secretIn(url) });
const count = async () =>
  (await world.tool('alice', 'list_recent_operations', { limit: 100 })).data.length as number;

describe('review:H9 a create that is sent again', () => {
  it('review:H9 gives a link that opens the same request, to the point of asking a wallet', async () => {
    const args = wanted();
    const made = await create(args);
    const before = await count();
    const again = await create(args);
    expect(again).toMatchObject({ id: made.id, digest: made.digest, replayed: true });
    expect(again.message).toContain('another link');
    expect(again.operationUrl).not.toBe(made.operationUrl);
    expect(await count()).toBe(before);
    const secret = secretIn(again.operationUrl);
    const path = `/api/operations/${made.id}/status`;
    const body = { status: 'tx_requested', stepId: made.steps[0].id, account: `0x${'5'.repeat(40)}` };
    await world.api(path, { secret, body: { status: 'opened' } });
    expect((await world.api(path, { secret, body })).json.ask.id).toMatch(/^ask_/);
  });

  it('review:H9 leaves the page that a person has open as it is', async () => {
    const args = wanted();
    const made = await create(args);
    await world.api(`/api/operations/${made.id}/status`, {
      secret: secretIn(made.operationUrl),
      body: { status: 'opened' },
    });
    const again = await create(args);
    for (const url of [made.operationUrl, again.operationUrl])
      expect((await read(made.id, url)).status).toBe(200);
  });

  it('review:H9 the secrets of a session open with the new link, too', async () => {
    const { handle: _handle, ...request } = S1();
    const sessions = [{ ...request.sessions[0], payload: { __secret: 'token-of-a-bank' } }];
    const args = {
      source: 'direct',
      network: 'testnet',
      chainId: 1879,
      idempotencyKey: 'lost',
      request: { ...request, sessions },
    };
    const { data: made } = await world.tool('alice', 'create_xdala_session_start_handoff', args);
    const { data: again } = await world.tool('alice', 'create_xdala_session_start_handoff', args);
    expect(again.handle).toBe(made.handle);
    const page = await world.api(`/api/session-start/${made.handle}`, { secret: secretIn(again.xdalaUrl) });
    expect(page.json.request.sessions[0].payload.__secret).toBe('token-of-a-bank');
  });

  it('review:H9 bundles likewise', async () => {
    const args = { network: 'testnet', chainId: 779, bundle: B1(), idempotencyKey: 'lost' };
    const { data: made } = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', args);
    const { data: again } = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', args);
    expect(again.handle).toBe(made.handle);
    const page = await world.api(`/api/bundle-deploy/${made.handle}`, { secret: secretIn(again.xdalaUrl) });
    expect(page.status).toBe(200);
  });

  it('review:H9 sent twice at once, both answers open one request', async () => {
    const inner = createMemoryStore();
    const args = wanted();
    let between: (() => Promise<unknown>) | undefined;
    const put: typeof inner.credentials.put = async (record) => {
      const other = between;
      between = undefined;
      await other?.();
      return inner.credentials.put(record);
    };
    const slow = await openWorld({ store: { ...inner, credentials: { ...inner.credentials, put } } });
    const call = async () => (await slow.tool('alice', 'create_operation_handoff', args)).data;
    let two: Wire;
    between = async () => {
      two = await call();
    };
    const one = await call();
    expect([one.id, one.replayed]).toEqual([two.id, true]);
    for (const { id, operationUrl } of [one, two])
      expect((await slow.api(`/api/operations/${id}`, { secret: secretIn(operationUrl) })).status).toBe(200);
    await slow.close();
  });

  it('review:H9 creates that were refused, or came second, use up no links', async () => {
    const inner = createMemoryStore();
    const args = wanted();
    const other = { ...args, summary: { title: 'Another request' } };
    /** Every call has put its link before the first of them makes the record. */
    const together = 6;
    const waiting: (() => void)[] = [];
    const put: typeof inner.credentials.put = async (record) => {
      await inner.credentials.put(record);
      if (waiting.length >= together) return;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === together) for (const go of waiting) go();
      });
    };
    const slow = await openWorld({ store: { ...inner, credentials: { ...inner.credentials, put } } });
    const call = async (wants: object) => (await slow.tool('alice', 'create_operation_handoff', wants)).data;
    const answers = await Promise.all([args, other, other, other, other, other].map(call));
    const made = answers.filter(({ id }) => id !== undefined);
    const refused = answers.filter(({ errorCode }) => errorCode === 'CONFLICT');
    expect(made.length + refused.length).toBe(together);
    const { id } = made[0] ?? {};
    const links = await inner.credentials.find('operation', id);
    expect(links).toHaveLength(made.filter(({ operationUrl }) => operationUrl !== undefined).length);
    for (const { operationUrl } of made)
      expect((await slow.api(`/api/operations/${id}`, { secret: secretIn(operationUrl) })).status).toBe(200);
    await slow.close();
  });

  it('review:H9 many at once get five links, and all of them open it', async () => {
    const args = wanted();
    const made = await Promise.all(Array.from({ length: 10 }, () => create(args)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const links = made.flatMap(({ operationUrl }) => operationUrl ?? []);
    expect(links).toHaveLength(5);
    for (const url of links) expect((await read(made[0]?.id, url)).status).toBe(200);
  });

  it('review:H9 another agent with the same key and the same request gets a request of its own', async () => {
    const args = wanted();
    const made = await create(args);
    const foreign = await create(args, 'bob');
    expect(foreign.id).not.toBe(made.id);
    expect(foreign.replayed).toBeUndefined();
    expect((await read(made.id, foreign.operationUrl)).status).toBe(404);
  });

  it('review:H9 gives no link once the request is withdrawn or over, and says so', async () => {
    const args = wanted();
    const made = await create(args);
    await world.tool('alice', 'cancel_operation_handoff', { operationId: made.id });
    const again = await create(args);
    expect(again).toMatchObject({ id: made.id, status: 'cancelled', replayed: true });
    expect(again).not.toHaveProperty('operationUrl');
    expect(again.message).toContain('no link');
  });

  it('review:H9 gives five links at most, then says what to do', async () => {
    const args = wanted();
    const links = [];
    for (let i = 0; i < 5; i++) links.push((await create(args)).operationUrl);
    expect(new Set(links).size).toBe(5);
    const last = await create(args);
    expect(last).not.toHaveProperty('operationUrl');
    expect(last.message).toContain('replaces');
  });
});

/** O1 to O5 of docs/spec/operations.md 10.3, as docs/decisions amends them; and a thousand posts at once. */
import { describe, expect, it } from 'vitest';
import { changed, O1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { secretIn, useWorld } from './support/world.js';

const world = await useWorld({ chains: readerOf(new FakeChain(1879)) });
const create = (args: object) => world.tool('alice', 'create_operation_handoff', args);

describe('operations of docs/spec/operations.md 10.3', () => {
  it('O1: policy is forced, the time is clamped, the step gets its id', async () => {
    const { data } = await create(O1());
    expect(data.policy).toEqual({
      requiresUserSignature: true,
      serverMaySign: false,
      serverMaySubmit: false,
    });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(60_000);
    expect(data.steps[0]).toMatchObject({
      id: 'step_1',
      kind: 'transaction',
      label: 'Transfer',
      status: 'pending',
    });
    expect(data.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(data.id).toMatch(/^op_[0-9a-f]{32}$/);
    expect(data.status).toBe('pending_user_action');
    secretIn(data.operationUrl);
  });

  it('the time is clamped from above, too', async () => {
    const { data } = await create({ ...O1(), ttlSeconds: 10_000_000 });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(86_400_000);
  });

  it.each<[string, object]>([
    ['O2 chainId 0', { ...O1(), chainId: 0 }],
    ['O2 no type', changed(O1(), (o) => delete o.type)],
    ['an unknown argument', { ...O1(), colour: 'red' }],
    ['an unknown argument of a step', { ...O1(), steps: [{ color: 1 }] }],
    ['O5 duplicate step ids', { ...O1(), steps: [{ id: 'a' }, { id: 'a' }] }],
    ['O5 to is no address', { ...O1(), steps: [{ txRequest: { to: '0x12' } }] }],
    ['O5 odd hex', { ...O1(), steps: [{ txRequest: { data: '0xabc' } }] }],
    ['O5 negative value', { ...O1(), steps: [{ txRequest: { value: '-1' } }] }],
    ['O5 key material', { ...O1(), payload: { deep: [{ wallet_secret: 'x' }] } }],
  ])('refused: %s', async (_name, args) => {
    const { isError, data } = await create(args);
    expect([isError, data.errorCode, data.statusCode]).toEqual([true, 'VALIDATION_ERROR', 400]);
  });

  it('O3: a list of more than a hundred', async () => {
    const { isError, data } = await world.tool('alice', 'list_recent_operations', { limit: 101 });
    expect([isError, data.errorCode]).toEqual([true, 'VALIDATION_ERROR']);
  });

  it('lists are the caller’s own, newest first, without what only the page may see', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      world.clock.now++;
      ids.unshift((await world.tool('bob', 'create_operation_handoff', O1())).data.id);
    }
    const { data } = await world.tool('bob', 'list_recent_operations', { limit: 2 });
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    // Made in the same millisecond: the order in which they were stored.
    const newest = (await world.tool('bob', 'create_operation_handoff', O1())).data.id;
    const again = (await world.tool('bob', 'list_recent_operations', { limit: 3 })).data;
    expect(again.map(({ id }: { id: string }) => id)).toEqual([newest, ids[0], ids[1]]);
    for (const key of ['operationUrl', 'payload', 'events', 'validation'])
      expect(data[0]).not.toHaveProperty(key);
    expect(data[0].steps[0]).not.toHaveProperty('txRequest');
  });

  it('warns of a wrong turn, and not of the bare word payload', async () => {
    expect((await create({ ...O1(), summary: { title: 'start session' } })).data.warning).toContain(
      'create_xdala_session_start_handoff',
    );
    expect((await create({ ...O1(), summary: { title: 'payload' } })).data).not.toHaveProperty('warning');
  });

  it('the digest is of chain and steps alone', async () => {
    const [a, b, c] = [
      await create(O1()),
      await create({ ...O1(), network: 'other' }),
      await create({ ...O1(), chainId: 1 }),
    ];
    expect(a.data.digest).toBe(b.data.digest);
    expect(a.data.digest).not.toBe(c.data.digest);
  });
});

it('a thousand posts at once: each is answered 200 or 409, none is lost, and the order is legal', async () => {
  const { data } = await create({ ...O1(), ttlSeconds: 3_600 });
  const secret = secretIn(data.operationUrl);
  const path = `/api/operations/${data.id}`;
  const bodies = [
    { status: 'opened' },
    { status: 'wallet_connected' },
    { status: 'tx_requested', stepId: 'step_1' },
    { status: 'tx_submitted', stepId: 'step_1', txHash: hex(5) },
    { status: 'failed', stepId: 'step_1', error: 'rejected' },
  ];
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) =>
      world.api(`${path}/status`, { secret, body: bodies[i % bodies.length] }),
    ),
  );
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  expect([...counts.keys()].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(counts.get(200)).toBeGreaterThan(0);
  const { json } = await world.api(path, { secret });
  const words: string[] = json.events
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => type !== 'verification');
  const legal: Record<string, string[]> = {
    created: ['opened'],
    opened: ['wallet_connected', 'tx_requested'],
    wallet_connected: ['tx_requested'],
    tx_requested: ['tx_submitted', 'failed'],
    failed: ['tx_requested'],
    tx_submitted: [],
  };
  for (const [i, word] of words.slice(1).entries()) expect(legal[words[i] ?? '']).toContain(word);
  // Every post that moved something is an entry: no answer of 200 went missing.
  const moved = answers.filter(
    ({ status, json: said }) => status === 200 && said.status !== undefined,
  ).length;
  expect(moved).toBeGreaterThanOrEqual(words.length - 1);
}, 120_000);

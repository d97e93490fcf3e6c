/** A prompt that nobody has closed: who asks again hears of it, and at most one of the two can be mined. */
import { createMemoryStore } from '@handover/engine';
import { expect, it, vi } from 'vitest';
import { type LogFields, silentLog } from '../../packages/server/src/observe/log.js';
import { O1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, useWorld, type Wire, type World } from './support/world.js';

const TO = `0x${'7'.repeat(40)}`;
const chain = new FakeChain(1879);
const world = await useWorld({ chains: readerOf(chain) });
let made = 0;

interface Request {
  readonly id: string;
  readonly data: Wire;
  readonly codes: readonly string[];
  post(body: object): Promise<Wire>;
  read(): Promise<Wire>;
  ask(account: string): Promise<Wire>;
}

async function request(value: number, over: object = {}, on: World = world): Promise<Request> {
  const steps = [{ id: 'pay', txRequest: { to: TO, value: String(value) } }];
  const { data } = await on.tool('alice', 'create_operation_handoff', {
    ...O1(),
    steps,
    ttlSeconds: 3_600,
    ...over,
  });
  const secret = secretIn(data.operationUrl);
  const post = (body: object) => on.api(`/api/operations/${data.id}/status`, { secret, body });
  return {
    id: data.id,
    data,
    codes: (data.warnings ?? []).map(({ code }: Wire) => code),
    post,
    read: async () => (await on.api(`/api/operations/${data.id}`, { secret })).json,
    ask: async (account) => {
      await post({ status: 'opened' });
      return (await post({ status: 'tx_requested', stepId: 'pay', account })).json;
    },
  };
}

const status = async (operationId: string): Promise<Wire> =>
  (await world.tool('alice', 'get_operation_status', { operationId })).data;

const shows = (id: string, expected: object) =>
  vi.waitFor(async () => expect(await status(id)).toMatchObject(expected), { timeout: 15_000, interval: 50 });

/** Asked, said not to be signed, and looked for in vain. The prompt is still there. */
async function leftOpen() {
  const value = 1_000 + ++made;
  const account = hex(0x5000 + made, 40);
  const old = await request(value);
  await old.ask(account);
  await old.post({ status: 'failed', stepId: 'pay', answer: 'said_not_signed' });
  chain.advance(10);
  world.clock.now += 601_000;
  await shows(old.id, { effect: 'none', reasonCode: 'NOT_SIGNED', over: false });
  return {
    old,
    value,
    account,
    pay: (nonce?: number) =>
      chain.send({ from: account, to: TO, value: BigInt(value), ...(nonce !== undefined && { nonce }) }),
  };
}

it('review:D1 openAsks counts it, and who replaces the request is warned, with the number to repeat', async () => {
  const { old, value, account } = await leftOpen();
  expect(await status(old.id)).toMatchObject({ openAsks: 1, asks: [{ standing: 'not_signed', account }] });
  const again = await request(value, { replaces: old.id });
  expect(again.codes).toEqual(['PROMPT_MAY_BE_OPEN']);
  expect(again.data.warnings[0]).toMatchObject({ id: old.id, account, nonce: 0 });
  expect(again.data.warnings[0].message).toMatch(/refuse it in the wallet.*both are paid/);
  const replaces = { id: old.id, createdAt: old.data.createdAt, openPrompt: true, account, nonce: 0 };
  expect((await again.read()).replaces).toEqual(replaces);
  expect((await status(again.id)).replaces).toEqual(replaces);
  // The wallet is to use that number, so that one of the two at most can be mined.
  expect((await again.ask(account)).ask.nonce).toBe(0);
});

it('review:D1 another call, or another account, is warned and repeats no number', async () => {
  const { old, account } = await leftOpen();
  const other = await request(77_000 + made, { replaces: old.id });
  expect(other.codes).toEqual(['PROMPT_MAY_BE_OPEN']);
  expect((await other.read()).replaces).toEqual({
    id: old.id,
    createdAt: old.data.createdAt,
    openPrompt: true,
  });
  expect((await other.ask(account)).ask.nonce).toBeUndefined();
  const { old: second, value } = await leftOpen();
  const again = await request(value, { replaces: second.id });
  expect((await again.ask(hex(0x9999, 40))).ask.nonce).toBeUndefined();
});

it('review:D1 it is told of through requests that were replaced in between', async () => {
  const { old, value, account } = await leftOpen();
  const between = await request(value, { replaces: old.id });
  const last = await request(value, { replaces: between.id });
  expect(last.codes).toEqual(['PROMPT_MAY_BE_OPEN']);
  expect((await last.read()).replaces).toMatchObject({ id: between.id, openPrompt: true, account, nonce: 0 });
});

it('review:D1 it is gone when the wallet refused it, and when its number was used', async () => {
  const first = await leftOpen();
  const refused = await first.old.post({
    status: 'failed',
    stepId: 'pay',
    answer: 'refused',
    walletCode: 4001,
  });
  expect(refused.json).toMatchObject({ effect: 'none', openAsks: 0 });
  expect((await request(first.value, { replaces: first.old.id })).codes).toEqual([]);
  const second = await leftOpen();
  const again = await request(second.value, { replaces: second.old.id });
  await again.ask(second.account);
  const hash = second.pay(0);
  await again.post({ status: 'tx_submitted', stepId: 'pay', txHash: hash });
  chain.mine(hash);
  chain.advance(10);
  await shows(again.id, { effect: 'done', account: second.account });
  expect((await status(again.id)).replaces).toEqual({
    id: second.old.id,
    createdAt: second.old.data.createdAt,
  });
  expect((await status(again.id)).twin).toBeUndefined();
}, 30_000);

it('review:D3 the agent that follows the new request hears that the old one was paid as well', async () => {
  const { old, value, account, pay } = await leftOpen();
  const again = await request(value, { replaces: old.id });
  const other = hex(0x8000 + made, 40);
  await again.ask(other);
  const paid = chain.send({ from: other, to: TO, value: BigInt(value) });
  await again.post({ status: 'tx_submitted', stepId: 'pay', txHash: paid });
  chain.mine(paid);
  chain.advance(10);
  await shows(again.id, { effect: 'done', account: other });
  const late = pay();
  await old.post({ status: 'tx_submitted', stepId: 'pay', txHash: late });
  chain.mine(late);
  chain.advance(10);
  await shows(old.id, { effect: 'done', account });
  const told = await status(again.id);
  expect(told.twin).toMatchObject({ id: old.id, effect: 'done' });
  expect(told.twin.message).toMatch(/paid twice/);
  expect(told.replaces.openPrompt).toBeUndefined();
  expect((await status(old.id)).twin).toMatchObject({ id: again.id, effect: 'done' });
  // Each claim says whose it was.
  expect(told.steps[0]).toMatchObject({ call: { account: other }, claims: [{ account: other }] });
}, 30_000);

it('review:A4 the account of a view is that of the transaction that counts', async () => {
  const value = 1_000 + ++made;
  const [one, two] = [hex(0x6000 + made, 40), hex(0x7000 + made, 40)];
  const op = await request(value);
  await op.ask(one);
  await op.post({ status: 'failed', stepId: 'pay', answer: 'said_not_signed' });
  await op.ask(two);
  const pay = (from: string) => chain.send({ from, to: TO, value: BigInt(value) });
  const first = pay(one);
  await op.post({ status: 'tx_submitted', stepId: 'pay', txHash: first });
  chain.mine(first);
  chain.advance(10);
  await shows(op.id, { effect: 'done', account: one });
  expect((await status(op.id)).steps[0]).toMatchObject({
    call: { account: one },
    claims: [{ account: one }],
  });
}, 30_000);

it('review:Y5 whether the chain is seen is a matter of the settings of now', async () => {
  const settings = { rpc: true };
  const own = new FakeChain(1880);
  const reader = readerOf(own);
  const other = await openWorld({
    chains: {
      ...reader,
      reads: (chainId) => settings.rpc && reader.reads(chainId),
      chain: async (chainId, patience) => (settings.rpc ? reader.chain(chainId, patience) : undefined),
    },
  });
  const op = await request(5, { chainId: 1880 }, other);
  const look = async (): Promise<Wire> =>
    (await other.tool('alice', 'get_operation_status', { operationId: op.id })).data;
  expect(await look()).toMatchObject({ watched: true, chainSight: 'watched' });
  settings.rpc = false;
  await op.ask(hex(0x77, 40));
  await op.post({ status: 'tx_submitted', stepId: 'pay', txHash: hex(0x123) });
  expect(await look()).toMatchObject({
    watched: false,
    chainSight: 'none',
    effect: 'unknown',
    reasonCode: 'UNVERIFIED',
  });
  expect((await op.read()).chainSight).toBe('none');
  const unread = await request(6, { chainId: 1880 }, other);
  expect(unread.data).toMatchObject({ watched: false, chainSight: 'none' });
  settings.rpc = true;
  expect((await unread.read()).chainSight).toBe('watched');
  await other.close();
});

it('review:Y5 a server that has lost the RPC of open requests says so once at its start, with their number', async () => {
  const store = createMemoryStore();
  const before = await openWorld({ store, chains: readerOf(new FakeChain(1879)) });
  for (const value of [1, 2, 3]) await request(value, {}, before);
  await before.close();
  const lines: (LogFields & { readonly event: string })[] = [];
  const write = (event: string, fields: LogFields = {}) => void lines.push({ event, ...fields });
  const after = await openWorld({ store, log: { ...silentLog, warn: write } });
  const told = () => lines.filter(({ event }) => event === 'operations.unread_chains');
  await vi.waitFor(() => expect(told()).toHaveLength(1), { timeout: 10_000 });
  expect(told()[0]).toMatchObject({ open: 3, message: expect.stringContaining('HANDOVER_RPC_URL_') });
  await after.close();
});

/** What a page says of another request for the same: as it stands when the page is read, whichever was made first (review:D3). */
import { expect, it } from 'vitest';
import { countedRows } from './support/counted-rows.js';
import { B1, O1 } from './support/examples.js';
import { openWorld, secretIn, useWorld, type Wire, type World } from './support/world.js';

const world = await useWorld();
const ACCOUNT = `0x${'5'.repeat(40)}`;
const DAY = 24 * 60 * 60 * 1_000;
let amounts = 50_000;

const pay = (value: number) => ({ txRequest: { to: `0x${'7'.repeat(40)}`, value: String(value) } });
const next = () => pay(++amounts);

async function create(steps: readonly object[], agent = 'alice', on: World = world): Promise<Wire> {
  const args = { ...O1(), chainId: 777, steps, ttlSeconds: 86_400 };
  const { data, isError } = await on.tool(agent, 'create_operation_handoff', args);
  if (isError) throw new Error(JSON.stringify(data));
  return data;
}

const read = async ({ id, operationUrl }: Wire, on: World = world) =>
  (await on.api(`/api/operations/${id}`, { secret: secretIn(operationUrl) })).json;

const post = ({ id, operationUrl }: Wire, body: object, on: World = world) =>
  on.api(`/api/operations/${id}/status`, { secret: secretIn(operationUrl), body });

async function ask(made: Wire, on: World = world): Promise<void> {
  await post(made, { status: 'opened' }, on);
  await post(made, { status: 'tx_requested', stepId: made.steps[0].id, account: ACCOUNT }, on);
}

it('review:D3 the older one is told of the newer one, and the newer one of the older', async () => {
  const step = next();
  const older = await create([step]);
  expect((await read(older)).twin).toBeUndefined();
  const newer = await create([step]);
  const message = 'another request for the same can still be signed';
  const open = { effect: 'none', message };
  expect((await read(older)).twin).toEqual({ id: newer.id, createdAt: newer.createdAt, ...open });
  expect((await read(newer)).twin).toEqual({ id: older.id, createdAt: older.createdAt, ...open });
});

it('review:D3 with the effect of now, also when it goes back to none', async () => {
  const step = next();
  const older = await create([step]);
  const newer = await create([step]);
  await ask(newer);
  expect((await read(older)).twin).toMatchObject({ id: newer.id, effect: 'unknown' });
  await post(newer, { status: 'failed', stepId: newer.steps[0].id, answer: 'refused', walletCode: 4001 });
  expect((await read(older)).twin).toMatchObject({ id: newer.id, effect: 'none' });
  await world.tool('alice', 'cancel_operation_handoff', { operationId: newer.id });
  // Over, and nothing was sent: there is nothing to be told of any more.
  expect((await read(older)).twin).toBeUndefined();
  // What was known when it was made stays recorded.
  expect((await read(newer)).repeats).toMatchObject({ id: older.id, effect: 'none' });
});

it('review:D3 a part is named by its steps, with the effect of that part alone', async () => {
  const [one, two] = [next(), next()];
  const both = await create([one, { id: 'second', ...two }]);
  const part = await create([two]);
  await ask(both);
  expect((await read(part)).twin).toMatchObject({ id: both.id, effect: 'none' });
  expect((await read(both)).twin).toMatchObject({ id: part.id, effect: 'none', stepIds: ['second'] });
});

it('review:D3 of several the one of which most has happened', async () => {
  const step = next();
  const [asked, ...others] = [await create([step]), await create([step]), await create([step])];
  await ask(asked);
  for (const other of others) expect((await read(other)).twin).toMatchObject({ id: asked.id });
});

it('review:D3 the agent is told, too: by status and wait, not in lists', async () => {
  const step = next();
  const older = await create([step]);
  const newer = await create([step]);
  await ask(older);
  const told = { id: older.id, effect: 'unknown', message: expect.stringContaining('may have been paid') };
  const status = await world.tool('alice', 'get_operation_status', { operationId: newer.id });
  expect(status.data.twin).toMatchObject(told);
  const waited = await world.tool('alice', 'wait_for_operation', { id: newer.id, timeoutMs: 0 });
  expect(waited.data.operations[0].twin).toMatchObject(told);
  const { data } = await world.tool('alice', 'list_recent_operations', { limit: 2 });
  expect(data.map(({ twin }: Wire) => twin)).toEqual([undefined, undefined]);
});

it('review:D2 review:D3 however many equal requests are open, the one of which something happened is named', async () => {
  const other = await openWorld();
  const step = next();
  const asked = await create([step], 'alice', other);
  await ask(asked, other);
  let made: Wire;
  for (let i = 0; i < 40; i++) made = await create([step], 'alice', other);
  const same = made.warnings.find(({ code }: Wire) => code === 'SAME_AS');
  expect(same).toMatchObject({ id: asked.id, effect: 'unknown', others: 39 });
  expect(same.message).toMatch(/may have been paid/);
  // And on the page of one that was made before it, which had named nobody.
  expect((await read(made, other)).twin).toMatchObject({ id: asked.id, effect: 'unknown', others: 39 });
  await other.close();
}, 60_000);

it('review:D2 the same again after the person said no is made with a warning that says so', async () => {
  const step = next();
  const declined = await create([step]);
  await post(declined, { status: 'cancelled' });
  const again = await create([step]);
  const same = again.warnings.find(({ code }: Wire) => code === 'SAME_AS');
  expect(same).toMatchObject({ id: declined.id, effect: 'none', declined: true });
  expect(same.message).toMatch(/declined/);
  // Nothing of it can be signed any more: the page has nothing to warn of.
  expect((await read(again)).twin).toBeUndefined();
});

it('review:D3 says nothing of other agents', async () => {
  const step = next();
  const mine = await create([step]);
  const foreign = await create([step], 'bob');
  await ask(foreign);
  expect((await read(mine)).twin).toBeUndefined();
});

it('review:D3 the one that was named at first stays named after seven days, as it stands then', async () => {
  const other = await openWorld();
  const step = next();
  const older = await create([step], 'alice', other);
  await ask(older, other);
  other.clock.now += 6.5 * DAY;
  const newer = await create([step], 'alice', other);
  other.clock.now += 0.9 * DAY;
  expect((await read(newer, other)).twin).toMatchObject({ id: older.id, effect: 'unknown' });
  await other.close();
});

it('review:D3 holds for bundles', async () => {
  const bundle = { network: 'testnet', chainId: 777, bundle: B1() };
  const older = (await world.tool('carol', 'create_xdala_bundle_deploy_handoff', bundle)).data;
  const newer = (await world.tool('carol', 'create_xdala_bundle_deploy_handoff', bundle)).data;
  const shown = await world.api(`/api/bundle-deploy/${older.handle}`, { secret: secretIn(older.xdalaUrl) });
  expect(shown.json.twin).toMatchObject({ id: newer.handle, effect: 'none' });
});

it('review:D3 a look at a page costs a bounded number of rows, whatever was made and withdrawn', async () => {
  const rows = countedRows();
  const other = await openWorld({ store: rows.store });
  const step = next();
  const first = await create([step], 'dave', other);
  const page = await create([step], 'dave', other);
  for (let i = 0; i < 257; i++) {
    const { id } = await create([step], 'dave', other);
    await other.tool('dave', 'cancel_operation_handoff', { operationId: id });
  }
  const listed = await rows.during(async () => {
    // Behind more withdrawn ones than are looked through; the create answer had named it.
    expect((await read(page, other)).twin).toMatchObject({ id: first.id });
  });
  expect(listed).toBe(256);
  await other.close();
}, 60_000);

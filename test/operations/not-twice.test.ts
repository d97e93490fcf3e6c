/** Not paying twice: requests that replace others, and requests for what was asked before (review:D1, review:D2). */
import { createMemoryStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { countedRows } from './support/counted-rows.js';
import { B1, O1, R1, S1 } from './support/examples.js';
import { openWorld, secretIn, useWorld, type Wire, type World } from './support/world.js';

const world = await useWorld();
const DAY = 24 * 60 * 60 * 1_000;
let amounts = 0;

/** What nobody has asked for before. */
function another(over: object = {}) {
  amounts += 1;
  const to = `0x${'7'.repeat(40)}`;
  return {
    ...O1(),
    chainId: 777,
    steps: [{ label: 'Pay', txRequest: { to, value: String(amounts) } }],
    ttlSeconds: 86_400,
    ...over,
  };
}

async function create(args: object, agent = 'alice', on: World = world): Promise<Wire> {
  const { data, isError } = await on.tool(agent, 'create_operation_handoff', args);
  if (isError) throw new Error(JSON.stringify(data));
  return { ...data, warnings: aboutOthers(data) };
}

/** That this server does not read the chain is told of each of them. */
function aboutOthers({ warnings = [] }: Wire): Wire | undefined {
  const others = warnings
    .filter(({ code }: Wire) => code !== 'UNWATCHED')
    .map(({ message, ...warning }: Wire) => {
      expect(message, warning.code).toMatch(/[a-z ]{20}/);
      return warning;
    });
  return others.length === 0 ? undefined : others;
}

/** A wallet is asked, and nobody knows yet what it does. */
async function ask({ id, operationUrl, steps }: Wire, on: World = world): Promise<Wire> {
  const secret = secretIn(operationUrl);
  const body = { status: 'tx_requested', stepId: steps[0].id, account: `0x${'5'.repeat(40)}` };
  await on.api(`/api/operations/${id}/status`, { secret, body: { status: 'opened' } });
  return on.api(`/api/operations/${id}/status`, { secret, body });
}

const shown = async ({ id, operationUrl }: Wire) =>
  (await world.api(`/api/operations/${id}`, { secret: secretIn(operationUrl) })).json;

describe('review:D1 replaces', () => {
  it('review:D1 a request of which nothing was sent makes way, and the page says so', async () => {
    const old = await create(another());
    const made = await create(another({ replaces: old.id }));
    expect(made.warnings).toBeUndefined();
    expect(await shown(made)).toMatchObject({ replaces: { id: old.id, createdAt: old.createdAt } });
    const status = await world.tool('alice', 'get_operation_status', { operationId: old.id });
    expect(status.data).toMatchObject({ status: 'cancelled', effect: 'none', reasonCode: 'CANCELLED' });
    expect((await ask(old)).status).toBe(409);
    // And so does the page of the old one, with the id of the new one.
    expect((await shown(old)).closing).toEqual({
      by: 'creator',
      at: expect.any(String),
      replacedBy: made.id,
    });
  });

  it('review:D1 one whose wallet was asked does not, and its effect is told', async () => {
    const old = await create(another());
    await ask(old);
    const before = await world.store.position();
    const { data } = await world.tool('alice', 'create_operation_handoff', another({ replaces: old.id }));
    expect(data).toMatchObject({ errorCode: 'CONFLICT', statusCode: 409, details: { effect: 'unknown' } });
    expect(await world.store.position()).toBe(before);
  });

  it('review:D1 one that is over may be replaced, of any family, by any family', async () => {
    const { handle: _handle, ...request } = S1();
    const session = { source: 'direct', network: 'testnet', chainId: 1879, request };
    const first = await world.tool('alice', 'create_xdala_session_start_handoff', session);
    await world.tool('alice', 'cancel_xdala_session_start_handoff', { handle: first.data.handle });
    const second = await world.tool('alice', 'create_xdala_session_start_handoff', {
      ...session,
      replaces: first.data.handle,
    });
    expect(second.data.replaces.id).toBe(first.data.handle);
    const bundle = { network: 'testnet', chainId: 777, bundle: B1(), replaces: second.data.handle };
    const third = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', bundle);
    expect(third.isError).toBeFalsy();
  });

  it('review:D1 unknown ids, and those of others, are not found', async () => {
    const old = await create(another());
    for (const [agent, replaces] of [
      ['alice', `op_${'0'.repeat(32)}`],
      ['alice', 'nothing'],
      ['bob', old.id],
    ]) {
      const { data } = await world.tool(String(agent), 'create_operation_handoff', another({ replaces }));
      expect(data.errorCode).toBe('OPERATION_NOT_FOUND');
    }
  });

  it('review:D1 an ask that comes between the question and the commit keeps the new one from being made', async () => {
    const inner = createMemoryStore();
    let between: (() => Promise<unknown>) | undefined;
    const put: typeof inner.credentials.put = async (record) => {
      const first = between;
      between = undefined;
      await first?.();
      return inner.credentials.put(record);
    };
    const other = await openWorld({ store: { ...inner, credentials: { ...inner.credentials, put } } });
    const old = await create(another(), 'alice', other);
    let asked: Wire;
    between = async () => {
      asked = await ask(old, other);
    };
    const { data } = await other.tool('alice', 'create_operation_handoff', another({ replaces: old.id }));
    expect([asked.status, data.errorCode, data.details.effect]).toEqual([200, 'CONFLICT', 'unknown']);
    await other.close();
  });
});

describe('review:D2 the same again', () => {
  it('review:D2 is made, with the earlier one named, and the page says so', async () => {
    const args = another();
    const old = await create(args);
    await ask(old);
    const again = await create({ ...args, summary: { title: 'Another title' }, type: 'other' });
    expect(again.warnings).toEqual([{ code: 'SAME_AS', id: old.id, effect: 'unknown' }]);
    expect(await shown(again)).toMatchObject({
      repeats: { id: old.id, createdAt: old.createdAt, effect: 'unknown' },
    });
  });

  it('review:D2 is no matter of how a number or an address is written, nor of fees', async () => {
    const to = `0x${'AB'.repeat(20)}`;
    const old = await create(another({ steps: [{ txRequest: { to, value: '255', data: '0x' } }] }));
    await ask(old);
    const step = { txRequest: { to: to.toLowerCase(), value: '0xff', gas: '21000', nonce: 4 } };
    expect((await create(another({ steps: [step] }))).warnings).toMatchObject([{ id: old.id }]);
  });

  it.each<[string, object]>([
    ['another chain', { chainId: 778 }],
    ['another recipient', { steps: [{ txRequest: { to: `0x${'8'.repeat(40)}`, value: '900' } }] }],
    ['another amount', { steps: [{ txRequest: { to: `0x${'7'.repeat(40)}`, value: '901' } }] }],
    ['other data', { steps: [{ txRequest: { to: `0x${'7'.repeat(40)}`, value: '900', data: '0x01' } }] }],
  ])('review:D2 %s is not the same', async (_, over) => {
    const same = { steps: [{ txRequest: { to: `0x${'7'.repeat(40)}`, value: '900' } }] };
    await ask(await create(another(same)));
    expect((await create(another({ ...same, ...over }))).warnings).toBeUndefined();
  });

  it('review:D2 one that can still be signed is named, and one that is over without anything sent is not', async () => {
    const args = another();
    const open = await create(args);
    expect(await create(args)).toMatchObject({
      warnings: [{ code: 'SAME_AS', id: open.id, effect: 'none' }],
    });
  });

  it('review:D2 of several the one of which most has happened is named, also to one that replaces another', async () => {
    const args = another();
    const asked = await create(args);
    await ask(asked);
    const open = await create(args);
    const warning = { code: 'SAME_AS', id: asked.id, effect: 'unknown', others: 1 };
    expect((await create(args)).warnings).toEqual([warning]);
    const next = await create({ ...args, replaces: open.id });
    // Now the third one is the other that can still be signed.
    expect(next.warnings).toEqual([warning]);
    expect(await shown(next)).toMatchObject({ replaces: { id: open.id }, repeats: { id: asked.id } });
  });

  it('review:D2 cancelled, another agent, or seven days later: nothing is said', async () => {
    const args = another();
    const gone = await create(args);
    await world.tool('alice', 'cancel_operation_handoff', { operationId: gone.id });
    const old = await create(args);
    expect(old.warnings).toBeUndefined();
    await ask(old);
    expect((await create(args, 'bob')).warnings).toBeUndefined();
    expect((await create(args)).warnings).toMatchObject([{ id: old.id }]);
    world.clock.now += 7 * DAY + 1;
    expect((await create(args)).warnings).toBeUndefined();
  });

  const pay = (value: number, over: object = {}) => ({
    txRequest: { to: `0x${'7'.repeat(40)}`, value: String(10_000 + value) },
    ...over,
  });

  it('review:D2 the same call with another step around it is named, with the steps that are the same', async () => {
    const old = await create(another({ steps: [pay(1)] }));
    await ask(old);
    const steps = [pay(2), pay(1, { id: 'again', label: 'Other words' })];
    const made = await create(another({ steps }));
    expect(made.warnings).toEqual([{ code: 'SAME_AS', id: old.id, effect: 'unknown', stepIds: ['again'] }]);
    expect((await shown(made)).repeats).toMatchObject({ id: old.id, stepIds: ['again'] });
  });

  it('review:D2 one step out of several is named likewise', async () => {
    const old = await create(another({ steps: [pay(3), pay(4)] }));
    const made = await create(another({ steps: [pay(4)] }));
    expect(made.warnings).toEqual([{ code: 'SAME_AS', id: old.id, effect: 'none' }]);
  });

  it('review:D2 what is left of a request that was ended is not called the same', async () => {
    const old = await create(another({ steps: [pay(5), pay(6)] }));
    const asked = await ask(old);
    await world.api(`/api/operations/${old.id}/status`, {
      secret: secretIn(old.operationUrl),
      body: { status: 'tx_submitted', stepId: old.steps[0].id, txHash: `0x${'6'.repeat(64)}` },
    });
    expect(asked.status).toBe(200);
    await world.tool('alice', 'cancel_operation_handoff', { operationId: old.id });
    // No RPC: it closes at the end of its time, and then the second step can be signed no more.
    world.clock.now += DAY + 1_000;
    const left = await create(another({ steps: [pay(6)] }));
    expect(left.warnings).toBeUndefined();
    const first = await create(another({ steps: [pay(5)] }));
    expect(first.warnings).toMatchObject([{ code: 'SAME_AS', id: old.id, effect: 'unknown' }]);
  });

  it('review:D2 one session out of several is named', async () => {
    const { handle: _handle, ...request } = S1();
    const [one] = request.sessions;
    const session = (sessions: readonly object[]) => ({
      source: 'direct',
      network: 'testnet',
      chainId: 1879,
      request: { ...request, mode: sessions.length > 1 ? 'queue' : 'single', sessions },
    });
    const other = { ...one, payload: { ...one.payload, InvoiceId: 'INV-other' } };
    const mine = { ...one, payload: { ...one.payload, InvoiceId: 'INV-mine' } };
    const start = await world.tool('frank', 'create_xdala_session_start_handoff', session([mine]));
    const both = await world.tool('frank', 'create_xdala_session_start_handoff', session([other, mine]));
    expect(both.data.warnings?.[0]).toEqual({
      message: expect.stringContaining('paid twice'),
      code: 'SAME_AS',
      id: start.data.handle,
      effect: 'none',
      stepIds: ['sessions.1'],
    });
  });

  it('review:D2 many steps are looked for in a bounded number of records', async () => {
    const inner = createMemoryStore();
    let reads = 0;
    const list: typeof inner.list = async (query) => {
      const listed = await inner.list(query);
      reads += listed.length;
      return listed;
    };
    const other = await openWorld({ store: { ...inner, list } });
    const steps = Array.from({ length: 20 }, (_, i) => pay(100 + i));
    for (let i = 0; i < 10; i++) await create(another({ steps }), 'dave', other);
    reads = 0;
    await create(another({ steps }), 'dave', other);
    expect(reads).toBe(200);
    await other.close();
  });

  it('review:D2 holds for bundles and sessions', async () => {
    const bundle = { network: 'testnet', chainId: 777, bundle: B1() };
    const first = (await world.tool('carol', 'create_xdala_bundle_deploy_handoff', bundle)).data;
    const path = `/api/bundle-deploy/${first.handle}`;
    const secret = secretIn(first.xdalaUrl);
    const [step] = (await world.api(path, { secret })).json.steps;
    await world.api(`${path}/status`, { secret, body: { stepId: step.id, stepStatus: 'requested' } });
    const second = await world.tool('carol', 'create_xdala_bundle_deploy_handoff', bundle);
    expect(aboutOthers(second.data)).toEqual([{ code: 'SAME_AS', id: first.handle, effect: 'unknown' }]);
    const { handle: _handle, ...request } = S1();
    const session = { source: 'direct', network: 'testnet', chainId: 1879, request };
    const start = (await world.tool('carol', 'create_xdala_session_start_handoff', session)).data;
    await world.api(`/api/session-start/${start.handle}/progress`, {
      secret: secretIn(start.xdalaUrl),
      body: { index: 0, stepStatus: 'requested' },
    });
    const again = (await world.tool('carol', 'create_xdala_session_start_handoff', session)).data;
    expect(again.warnings).toMatchObject([{ code: 'SAME_AS', id: start.handle }, { code: 'CHAIN_NOT_READ' }]);
  });

  it('review:D2 equal ones that were withdrawn do not push out the one that may be paid', async () => {
    const rows = countedRows();
    const other = await openWorld({ store: rows.store });
    const withdraw = async (args: object) => {
      const { id } = await create(args, 'dave', other);
      await other.tool('dave', 'cancel_operation_handoff', { operationId: id });
    };
    const [one, many] = [another(), another({ steps: Array.from({ length: 20 }, (_, i) => pay(200 + i)) })];
    const paid = [await create(one, 'dave', other), await create(many, 'dave', other)];
    for (const each of paid) await ask(each, other);
    for (let i = 0; i < 34; i++) await withdraw(one);
    for (let i = 0; i < 34; i++) await withdraw(many);
    for (const [i, args] of [one, many].entries()) {
      const listed = await rows.during(async () => {
        const { warnings } = await create(args, 'dave', other);
        expect(warnings).toMatchObject([{ code: 'SAME_AS', id: paid[i]?.id, effect: 'unknown' }]);
      });
      // Withdrawn ones included: 36 rows for the one step, and as many for each of the twenty.
      expect(listed).toBeLessThanOrEqual((i === 0 ? 1 : 20) * 36);
    }
    await other.close();
  });

  it('review:D2 equal ones that have failed without anything sent do not push it out either', async () => {
    const other = await openWorld();
    const { handle: _handle, ...request } = S1();
    const session = { source: 'direct', network: 'testnet', chainId: 1879, request };
    const start = async () => {
      const { data } = await other.tool('dave', 'create_xdala_session_start_handoff', session);
      const secret = secretIn(data.xdalaUrl);
      const post = (name: string, body: object) =>
        other.api(`/api/session-start/${data.handle}/${name}`, { secret, body });
      return { data, post };
    };
    const paid = await start();
    await paid.post('progress', { index: 0, stepStatus: 'requested' });
    for (let i = 0; i < 33; i++) {
      const { data, post } = await start();
      const result = { ...R1(data.handle), status: 'failed' };
      const failed = { ok: false, status: 'failed', stage: 'start', error: 'refused' };
      const { json } = await post('result', { ...result, results: [failed] });
      expect(json).toMatchObject({ status: 'failed', effect: 'none' });
    }
    const { data } = await start();
    expect(data.warnings).toContainEqual(
      expect.objectContaining({ id: paid.data.handle, effect: 'unknown' }),
    );
    await other.close();
  });

  it('review:D2 looks at a bounded number of records, whatever the history', async () => {
    const rows = countedRows();
    const other = await openWorld({ store: rows.store });
    const args = another();
    for (let i = 0; i < 50; i++) await create(args, 'dave', other);
    expect(await rows.during(() => create(args, 'dave', other))).toBe(50);
    await other.close();
  });
});

describe('a key of the caller’s own', () => {
  it('gives the same record for the same request, and refuses any other', async () => {
    const args = { ...another(), idempotencyKey: 'pay-1' };
    const made = await create(args);
    expect(await create(args)).toMatchObject({ id: made.id, replayed: true });
    for (const over of [
      { summary: { title: 'Another' } },
      { type: 'other' },
      { ttlSeconds: 100 },
      { steps: [{ ...args.steps[0], label: 'Another' }] },
    ]) {
      const { data } = await world.tool('alice', 'create_operation_handoff', { ...args, ...over });
      expect(data.errorCode, JSON.stringify(over)).toBe('CONFLICT');
    }
  });

  it('holds for bundles and sessions, secrets included', async () => {
    const bundle = { network: 'testnet', chainId: 779, bundle: B1(), idempotencyKey: 'b' };
    const one = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', bundle);
    const same = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', bundle);
    expect([same.data.handle, same.data.replayed]).toEqual([one.data.handle, true]);
    const other = { ...bundle, summary: { title: 'x' } };
    const refused = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', other);
    expect(refused.data.errorCode).toBe('CONFLICT');
    const { handle: _handle, ...request } = S1();
    const session = (secret: string) => ({
      source: 'direct',
      network: 'testnet',
      chainId: 1879,
      idempotencyKey: 's',
      request: { ...request, sessions: [{ ...request.sessions[0], payload: { __secret: secret } }] },
    });
    const start = await world.tool('alice', 'create_xdala_session_start_handoff', session('a'));
    const retry = await world.tool('alice', 'create_xdala_session_start_handoff', session('a'));
    expect(retry.data).toMatchObject({ handle: start.data.handle, replayed: true });
    const changed = await world.tool('alice', 'create_xdala_session_start_handoff', session('b'));
    expect(changed.data.errorCode).toBe('CONFLICT');
  });
});

it('the newest come first, whatever their ids and however many there are', async () => {
  const other = await openWorld();
  const ids: string[] = [];
  for (let i = 0; i < 25; i++) ids.unshift((await create(another(), 'erin', other)).id);
  const bundle = { network: 'testnet', chainId: 777, bundle: B1() };
  await other.tool('erin', 'create_xdala_bundle_deploy_handoff', bundle);
  const list = async (args: object) =>
    (await other.tool('erin', 'list_recent_operations', args)).data.map(({ id }: Wire) => id);
  expect(await list({ limit: 10 })).toEqual(ids.slice(0, 10));
  expect(await list({ limit: 10, before: ids[9] })).toEqual(ids.slice(10, 20));
  expect(await list({ limit: 100, before: ids[19] })).toEqual(ids.slice(20));
  await other.close();
});

/** wait_for_operation: what a person or the chain does reaches the agent, and nothing between two calls is lost. */
import { describe, expect, it, vi } from 'vitest';
import { B2, O1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, useWorld, type Wire, type World } from './support/world.js';

const TO = '0x1111111111111111111111111111111111111111';
const chain = new FakeChain(1879);
const world = await useWorld({ chains: readerOf(chain) });
let signers = 0;

async function newRequest(on: World = world, over: object = {}) {
  const from = hex(0x9000 + ++signers, 40);
  const { data } = await on.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 900, ...over });
  const secret = secretIn(data.operationUrl);
  const post = (body: object) => on.api(`/api/operations/${data.id}/status`, { secret, body });
  const asked = async () => {
    await post({ status: 'opened' });
    await post({ status: 'tx_requested', stepId: 'step_1', account: from });
  };
  const pay = () => chain.send({ from, to: TO, data: '0xa9059cbb' });
  return { id: data.id as string, post, asked, pay };
}

const wait = async (args: object, agent = 'alice', on: World = world): Promise<Wire> =>
  (await on.tool(agent, 'wait_for_operation', args)).data;

describe('wait_for_operation', () => {
  it('review:H1 returns when somebody opens the page, and goes on from its mark', async () => {
    const op = await newRequest();
    const idle = await wait({ id: op.id, timeoutMs: 0 });
    expect(idle).toMatchObject({
      changed: false,
      operations: [{ id: op.id, status: 'pending_user_action' }],
    });
    await op.post({ status: 'opened' });
    const opened = await wait({ id: op.id, since: idle.resume.since });
    expect(opened).toMatchObject({ changed: true, operations: [{ status: 'opened', effect: 'none' }] });
    const waiting = wait({ id: op.id, since: opened.resume.since });
    await op.asked();
    expect(await waiting).toMatchObject({ changed: true, operations: [{ effect: 'unknown' }] });
  });

  it('review:H1 until decided, and until settled', async () => {
    const op = await newRequest();
    const decided = wait({ id: op.id, until: 'decided' });
    await op.asked();
    const hash = op.pay();
    await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash: hash });
    expect(await decided).toMatchObject({ changed: true, operations: [{ effect: 'unknown' }] });
    const settled = wait({ id: op.id, until: 'settled' });
    chain.mine(hash);
    chain.advance(10);
    expect(await settled).toMatchObject({
      changed: true,
      operations: [{ status: 'completed', effect: 'done', receipt: { no: 1 } }],
    });
    expect(await wait({ id: op.id, until: 'settled' })).toMatchObject({ changed: true });
  });

  it('review:H1 an own cancel decides nothing while the prompt is open; the answer of the wallet does', async () => {
    const op = await newRequest();
    await op.asked();
    await world.tool('alice', 'cancel_operation_handoff', { operationId: op.id });
    const closing = await wait({ id: op.id, until: 'decided', timeoutMs: 0 });
    expect(closing).toMatchObject({ changed: false, operations: [{ closing: { by: 'creator' } }] });
    const decided = wait({ id: op.id, until: 'decided' });
    await op.post({ status: 'failed', stepId: 'step_1', answer: 'refused' });
    expect(await decided).toMatchObject({
      changed: true,
      operations: [{ status: 'cancelled', effect: 'none' }],
    });
  });

  it('review:H1 a decline on the page decides at once, though the prompt is open', async () => {
    const op = await newRequest();
    await op.asked();
    await op.post({ status: 'cancelled' });
    const decided = await wait({ id: op.id, until: 'decided', timeoutMs: 0 });
    expect(decided).toMatchObject({ changed: true, operations: [{ closing: { by: 'holder' } }] });
  });

  it('review:H1 who goes on from a mark after a refusal waits for the next news, and for none once it is over', async () => {
    const op = await newRequest();
    await op.asked();
    await op.post({ status: 'failed', stepId: 'step_1', answer: 'refused' });
    const refused = await wait({ id: op.id, until: 'decided', timeoutMs: 0 });
    expect(refused).toMatchObject({ changed: true, operations: [{ reasonCode: 'REJECTED' }] });
    const { since } = refused.resume;
    expect(await wait({ id: op.id, until: 'decided', since, timeoutMs: 0 })).toMatchObject({
      changed: false,
    });
    await world.tool('alice', 'cancel_operation_handoff', { operationId: op.id });
    const over = await wait({ id: op.id, until: 'settled', timeoutMs: 0 });
    const again = { id: op.id, until: 'settled', since: over.resume.since, timeoutMs: 0 };
    expect(await wait(again)).toMatchObject({ changed: true, operations: [{ status: 'cancelled' }] });
  });

  it('review:H1 until settled ends when it is known that nothing was signed; then it waits for the next news', async () => {
    const op = await newRequest();
    await op.asked();
    await op.post({ status: 'failed', stepId: 'step_1', answer: 'said_not_signed' });
    const quiet = await wait({ id: op.id, until: 'settled', timeoutMs: 0 });
    expect(quiet).toMatchObject({
      changed: false,
      operations: [{ effect: 'unknown', over: false, openAsks: 1, asks: [{ standing: 'quiet' }] }],
    });
    const { since } = quiet.resume;
    const settled = wait({ id: op.id, until: 'settled', since });
    chain.advance(10);
    world.clock.now += 601_000;
    const told = await settled;
    expect(told).toMatchObject({
      changed: true,
      // Nobody has closed the prompt, so it may still be open.
      operations: [{ effect: 'none', reasonCode: 'NOT_SIGNED', status: 'failed', over: false, openAsks: 1 }],
    });
    const again = { id: op.id, until: 'settled', since: told.resume.since, timeoutMs: 0 };
    expect(await wait(again)).toMatchObject({ changed: false });
  });

  it('review:H1 settled does not hide a prompt of a done step that may still be signed', async () => {
    const op = await newRequest();
    await op.asked();
    await op.post({ status: 'failed', stepId: 'step_1', answer: 'said_not_signed' });
    await op.asked();
    const hash = op.pay();
    // Told before it is mined: the server's own search would find it for the first prompt.
    await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash: hash });
    chain.mine(hash);
    chain.advance(10);
    const settled = await wait({ id: op.id, until: 'settled' });
    expect(settled).toMatchObject({ changed: true, operations: [{ effect: 'done', over: true }] });
    const [{ asks, openAsks }] = settled.operations;
    expect(asks).toContainEqual(expect.objectContaining({ standing: 'quiet' }));
    expect(openAsks).toBe(asks.length);
    const late = wait({ id: op.id });
    const second = op.pay();
    chain.mine(second);
    chain.advance(10);
    await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash: second });
    await late;
    const twice = () => world.tool('alice', 'get_operation_status', { operationId: op.id });
    await vi.waitFor(
      async () =>
        expect((await twice()).data).toMatchObject({ effect: 'exceeded', reasonCode: 'PAID_TWICE' }),
      { timeout: 10_000 },
    );
  });

  it('review:H1 until settled does not end between two steps, nor before anybody was asked', async () => {
    const fresh = await newRequest();
    expect(await wait({ id: fresh.id, until: 'settled', timeoutMs: 0 })).toMatchObject({ changed: false });
    const [step] = O1().steps;
    const op = await newRequest(world, { steps: [step, { ...step, label: 'Again' }] });
    await op.asked();
    const hash = op.pay();
    chain.mine(hash);
    chain.advance(10);
    await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash: hash });
    const status = () => world.tool('alice', 'get_operation_status', { operationId: op.id });
    await vi.waitFor(async () => expect((await status()).data.effect).toBe('partial'), { timeout: 10_000 });
    expect(await wait({ id: op.id, until: 'settled', timeoutMs: 0 })).toMatchObject({ changed: false });
  });

  it('review:H2 before a wallet was asked the basis says so', async () => {
    const op = await newRequest();
    const { operations } = await wait({ id: op.id, timeoutMs: 0 });
    expect(operations).toMatchObject([{ effect: 'none', basis: ['not_asked'] }]);
    await op.asked();
    const asked = await wait({ id: op.id, timeoutMs: 0 });
    expect(asked.operations).toMatchObject([{ effect: 'unknown', basis: ['page'] }]);
  });

  it('review:H1 takes ids of several families, and answers for none if one is not the caller’s', async () => {
    const [one, two] = [await newRequest(), await newRequest()];
    const bundle = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', {
      network: 'testnet',
      chainId: 1879,
      bundle: B2(),
    });
    const ids = [one.id, two.id, bundle.data.handle];
    const { operations } = await wait({ ids, timeoutMs: 0 });
    expect(operations.map((shown: Wire) => shown.id ?? shown.handle)).toEqual(ids);
    expect((await wait({ ids: [one.id], timeoutMs: 0 }, 'mallory')).errorCode).toBe('OPERATION_NOT_FOUND');
    const unknown = `op_${'0'.repeat(32)}`;
    expect((await wait({ ids: [one.id, unknown], timeoutMs: 0 })).errorCode).toBe('OPERATION_NOT_FOUND');
  });

  it.each([
    ['a mark of nobody', { since: 'x' }],
    ['neither id nor ids', { id: undefined }],
    ['both', { ids: ['op_1'] }],
    ['too long', { timeoutMs: 50_001 }],
    ['an unknown condition', { until: 'tomorrow' }],
  ])('refuses %s', async (_name, wrong) => {
    const op = await newRequest();
    const { errorCode } = await wait({ id: op.id, timeoutMs: 0, ...wrong });
    expect(errorCode).toBe('VALIDATION_ERROR');
  });

  it('review:H1 a mark is good after a restart', async () => {
    const first = await openWorld({ chains: readerOf(chain) });
    const op = await newRequest(first);
    const { resume } = await wait({ id: op.id, timeoutMs: 0 }, 'alice', first);
    await op.post({ status: 'opened' });
    const { store } = first;
    const second = await openWorld({ chains: readerOf(chain), store });
    expect(await wait({ id: op.id, since: resume.since }, 'alice', second)).toMatchObject({
      changed: true,
      operations: [{ status: 'opened' }],
    });
    await second.close();
    await first.close();
  });
});

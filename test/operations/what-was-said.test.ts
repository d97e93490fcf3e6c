/** What wallets and people said of an ask is kept, shown as theirs, and proven, whatever the chain shows later (review:1). */
import { expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, useWorld, type Wire, type World } from './support/world.js';

const chain = new FakeChain(1879);
const world = await useWorld({ chains: readerOf(chain) });
const QUIET_MS = 600_000;
let signers = 0;

/** A request of which a wallet was asked. */
async function asked(on: World = world) {
  const from = hex(0x6000 + ++signers, 40);
  const { data } = await on.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 900 });
  const path = `/api/operations/${data.id}`;
  const secret = secretIn(data.operationUrl);
  const post = (body: object): Promise<Wire> =>
    on.api(`${path}/status`, { secret, body: { stepId: 'step_1', ...body } });
  await on.api(`${path}/status`, { secret, body: { status: 'opened' } });
  const ask = () => post({ status: 'tx_requested', account: from });
  const { json: first } = await ask();
  return {
    id: data.id as string,
    ask,
    answer: (answer: string, more: object = {}) =>
      post({ status: 'failed', stepStatus: 'failed', answer, ...more }),
    /** Of the first ask, whatever was said of it. */
    claim: (txHash: string) => post({ status: 'tx_submitted', txHash, askId: first.ask.id }),
    get: (): Promise<Wire> => on.api(path, { secret }),
    agent: async () => (await on.tool('alice', 'get_operation_status', { operationId: data.id })).data,
    pay: (status: 'success' | 'reverted' = 'success') => {
      const hash = chain.send({
        from,
        to: '0x1111111111111111111111111111111111111111',
        data: '0xa9059cbb',
      });
      chain.mine(hash, status);
      chain.advance(10);
      return hash;
    },
  };
}

it.each(['said_not_signed', 'refused'])(
  'review:P2 a receipt counts %s also when a claim came later',
  async (word) => {
    const op = await asked();
    await op.answer(word);
    await op.claim(op.pay());
    const { json } = await until(op.get, (one) => one.json.status === 'completed');
    const { asks } = json.receipt.steps[0];
    expect(asks).toMatchObject({ made: 1, refused: 0, said_not_signed: 0, [word]: 1 });
  },
);

it("review:A7 a wallet's words are kept with the ask that they answered, and shown to page and agent", async () => {
  const op = await asked();
  await op.answer('unclear', { walletCode: -32_003, error: 'Insufficient\u202e funds for gas' });
  const seen = {
    effect: 'unknown',
    reasonCode: 'UNANSWERED',
    steps: [{ status: 'requested', walletCode: -32_003, error: 'Insufficient funds for gas' }],
  };
  expect((await op.get()).json).toMatchObject(seen);
  expect(await op.agent()).toMatchObject(seen);
  // What was said of one ask is not said of the next.
  await op.answer('refused', { walletCode: 4001, error: 'User rejected the request.' });
  expect((await op.get()).json.steps[0]).toMatchObject({
    status: 'failed',
    error: 'User rejected the request.',
  });
  await op.ask();
  expect((await op.get()).json.steps[0]).toMatchObject({ status: 'requested' });
  expect((await op.get()).json.steps[0].error).toBeUndefined();
});

it('review:1.6 after the quiet time it is known up to which block the chain shows nothing', async () => {
  const timed = await openWorld({ chains: readerOf(chain) });
  const op = await asked(timed);
  await op.answer('said_not_signed');
  chain.advance(1);
  const head = await chain.blockNumber();
  timed.clock.now += QUIET_MS + 1;
  const { json } = await until(op.get, (one) => one.json.effect === 'none');
  expect(json.steps[0]).toMatchObject({ reasonCode: 'NOT_SIGNED', reasonBlock: head });
  await timed.close();
});

it('review:1.8 a hash that is told after a refusal is not known for any reason of that refusal', async () => {
  const op = await asked();
  await op.answer('refused', { walletCode: 4001 });
  await op.claim(hex(0xfeed));
  const { json } = await until(op.get, (one) => one.json.verification === 'pending');
  expect(json).toMatchObject({
    effect: 'unknown',
    steps: [{ claims: [{ verification: 'pending', reasonDetail: 'not_found' }] }],
  });
  expect(json.reasonCode).toBeUndefined();
});

it('review:H1 is not settled while another hash for a step that is done is being looked at', async () => {
  const op = await asked();
  await op.claim(op.pay());
  await until(op.get, (one) => one.json.status === 'completed');
  const settled = () =>
    world.tool('alice', 'wait_for_operation', { id: op.id, until: 'settled', timeoutMs: 0 });
  expect((await settled()).data.changed).toBe(true);
  // Nobody knows it: it may be a second payment that the node has not seen yet.
  await op.claim(hex(0xabcdef));
  expect((await settled()).data.changed).toBe(false);
});

it('review:1.8 an agent that asks on a network which this server cannot see is told so at once', async () => {
  const { data } = await world.tool('alice', 'create_operation_handoff', { ...O1(), chainId: 777 });
  expect(data.warnings).toMatchObject([{ code: 'UNWATCHED', message: expect.stringContaining('no RPC') }]);
  const watched = await world.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 901 });
  expect(JSON.stringify(watched.data.warnings ?? [])).not.toContain('UNWATCHED');
});

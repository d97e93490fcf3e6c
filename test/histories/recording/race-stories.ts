/** Transactions in every race: what a wallet did is told late, twice, wrongly or never. */
import { carrierRef, Family, type JsonObject } from '@handover/core';
import { about, DAY, type Handed, handOver, MINUTE, OWNER } from './person.js';
import type { Stories, Story } from './story.js';
import { alice, CHAIN_ID, createRecordingWorld, type RecordingWorld } from './world.js';

const TO = `0x${'1'.repeat(40)}`;
const DATA = '0xa9059cbb';
const FIRST = 'step_1';
const SECOND = 'step_2';

const handing = (count: number) => (world: RecordingWorld) =>
  handOver(world, Family.Operation, (handoffs, idempotencyKey) =>
    handoffs.createOperation(alice, {
      type: 'erc20_transfer',
      network: 'testnet',
      chainId: CHAIN_ID,
      summary: { title: 'Pay invoice INV-7' },
      steps: Array.from({ length: count }, (_, i) => ({
        label: `Transfer ${i + 1}`,
        txRequest: { to: TO, value: String(i), data: DATA },
      })),
      ttlSeconds: 3_600,
      idempotencyKey: `${idempotencyKey} ${count}`,
    }),
  );
const one = handing(1);
const two = handing(2);

type Hash = Parameters<Handed['chain']['mine']>[0];

const ask = async ({ status }: Handed, stepId = FIRST, account = OWNER) => {
  await status({ status: 'opened' });
  await status({ status: 'tx_requested', stepId, account });
};
const answer = ({ status }: Handed, word: string, more: JsonObject = {}, stepId = FIRST) =>
  status({ status: 'failed', stepId, stepStatus: 'failed', answer: word, ...more });
const sign = (
  { chain }: Handed,
  more: { data?: string; nonce?: number; from?: string; value?: bigint } = {},
) => chain.send({ from: OWNER, to: TO, data: DATA, ...more });
const tell = ({ status }: Handed, txHash: string, stepId = FIRST) =>
  status({ status: 'tx_submitted', stepId, txHash });
const deep = async ({ chain, look }: Handed, hash: Hash, how: 'success' | 'reverted' = 'success') => {
  chain.mine(hash, how);
  await look();
  chain.advance(5);
  await look();
};

/** The record, and the stream of the transaction that settled it. */
const withCarrier: Story = async (name) => {
  const world = createRecordingWorld(name);
  const handed = await one(world);
  await ask(handed);
  const hash = sign(handed);
  await tell(handed, hash);
  await deep(handed, hash);
  const carrier = carrierRef(CHAIN_ID, hash);
  return [
    { name, ref: handed.ref, entries: await world.history(handed.ref) },
    { name: 'carrier/taken', ref: carrier, entries: await world.history(carrier) },
  ];
};

export const raceStories: Stories = {
  'operation/race-settled-with-its-carrier': withCarrier,
  'operation/race-refused-by-the-wallet': about(one, async (handed) => {
    await ask(handed);
    await answer(handed, 'refused', { walletCode: 4_001, error: 'User rejected the request' });
  }),
  'operation/race-wallet-never-opened': about(one, async (handed) => {
    await ask(handed);
    await answer(handed, 'not_opened', { walletCode: -32_002 });
  }),
  'operation/race-unclear-then-found': about(one, async (handed) => {
    await ask(handed);
    await answer(handed, 'unclear', { walletCode: -32_003 });
    await deep(handed, sign(handed));
    await handed.look();
  }),
  'operation/race-said-not-signed-and-believed': about(one, async (handed) => {
    await ask(handed);
    await answer(handed, 'said_not_signed');
    await handed.waitFor(11 * MINUTE);
    // Only a chain that has moved on shows that there is nothing.
    handed.chain.advance(1);
    await handed.look();
  }),
  'operation/race-said-not-signed-then-both-signed': about(one, async (handed) => {
    await ask(handed);
    await answer(handed, 'said_not_signed');
    await ask(handed);
    const [first, second] = [sign(handed), sign(handed)];
    await tell(handed, second);
    await deep(handed, second);
    await deep(handed, first);
    await handed.look();
  }),
  'operation/race-never-answered': about(one, async (handed) => {
    await ask(handed);
    await handed.waitFor(61 * MINUTE);
    await handed.waitFor(2 * DAY);
  }),
  'operation/race-cancelled-while-asked-then-refused': about(one, async (handed) => {
    await ask(handed);
    await handed.cancel('creator');
    await answer(handed, 'refused', { walletCode: 4_001 });
  }),
  'operation/race-cancelled-while-asked-then-signed': about(one, async (handed) => {
    await ask(handed);
    await handed.cancel('creator');
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash);
  }),
  'operation/race-declined-while-asked-then-signed': about(one, async (handed) => {
    await ask(handed);
    await handed.status({ status: 'cancelled' });
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash);
  }),
  'operation/race-cancelled-then-told': about(one, async (handed) => {
    await handed.cancel('creator');
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash);
  }),
  'operation/race-expired-then-told': about(one, async (handed) => {
    await ask(handed);
    await answer(handed, 'refused', { walletCode: 4_001 });
    await handed.waitFor(61 * MINUTE);
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash);
  }),
  'operation/race-stopped-after-one-of-two': about(two, async (handed) => {
    await ask(handed);
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash);
    await handed.status({ status: 'cancelled' });
  }),
  'operation/race-expired-after-one-of-two': about(two, async (handed) => {
    await ask(handed);
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash);
    await handed.waitFor(61 * MINUTE);
  }),
  'operation/race-something-else-was-signed': about(one, async (handed) => {
    await ask(handed);
    const hash = sign(handed, { data: '0xdeadbeef' });
    await tell(handed, hash);
    await deep(handed, hash);
    await handed.waitFor(61 * MINUTE);
  }),
  'operation/race-something-else-and-then-the-right-one': about(one, async (handed) => {
    await ask(handed);
    const wrong = sign(handed, { data: '0xdeadbeef' });
    await tell(handed, wrong);
    await deep(handed, wrong);
    const right = sign(handed);
    await tell(handed, right);
    await deep(handed, right);
  }),
  'operation/race-told-by-whoever-holds-the-link': about(one, async (handed) => {
    await ask(handed);
    const hash = sign(handed);
    await handed.status({ status: 'tx_submitted', stepId: FIRST, txHash: hash, source: 'holder' });
    await deep(handed, hash);
  }),
  'operation/race-sped-up': about(one, async (handed) => {
    await ask(handed);
    const slow = sign(handed);
    await tell(handed, slow);
    await handed.look();
    const fast = sign(handed, { nonce: 0 });
    await handed.look();
    await deep(handed, fast);
  }),
  'operation/race-cancelled-in-the-wallet': about(one, async (handed) => {
    await ask(handed);
    const hash = sign(handed);
    await tell(handed, hash);
    await handed.look();
    const nothing = handed.chain.send({ from: OWNER, to: OWNER, data: '0x', nonce: 0 });
    await deep(handed, nothing);
    await handed.look();
  }),
  'operation/race-dropped': about(one, async (handed) => {
    await ask(handed);
    const hash = sign(handed);
    await tell(handed, hash);
    await handed.look();
    handed.chain.drop(hash);
    await handed.look();
  }),
  'operation/race-never-seen': about(one, async (handed) => {
    await ask(handed);
    await tell(handed, `0x${'e'.repeat(64)}`);
    await handed.look();
    await handed.waitFor(11 * MINUTE);
    await handed.look();
    await handed.waitFor(3 * DAY);
  }),
  'operation/race-older-than-the-request': about(
    async (world) => {
      const hash = world.chain.send({ from: OWNER, to: TO, data: DATA });
      world.chain.mine(hash);
      return { ...(await one(world)), old: hash };
    },
    async (handed) => {
      await ask(handed);
      await tell(handed, (handed as Handed & { readonly old: string }).old);
      await handed.look();
    },
  ),
  'operation/race-of-somebody-unknown': about(one, async (handed) => {
    await ask(handed);
    const hash = sign(handed, { from: `0x${'9'.repeat(40)}` });
    await tell(handed, hash);
    await deep(handed, hash);
  }),
  'operation/race-reverted': about(one, async (handed) => {
    await ask(handed);
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash, 'reverted');
  }),
  'operation/race-second-step-signed-as-the-first': about(two, async (handed) => {
    await ask(handed);
    const hash = sign(handed);
    await tell(handed, hash);
    await deep(handed, hash);
    await ask(handed, SECOND);
    await tell(handed, hash, SECOND);
    await handed.look();
  }),
};

/** Generic operations: two transfers for the person's own wallet. */
import { Family, type JsonObject } from '@handover/core';
import { about, DAY, type Handed, handOver, MINUTE, OWNER } from './person.js';
import type { Stories } from './story.js';
import { alice, CHAIN_ID, type RecordingWorld } from './world.js';

const TO = `0x${'1'.repeat(40)}`;
const transfer = (more: JsonObject = {}): JsonObject => ({ to: TO, value: '5', data: '0xa9059cbb', ...more });

const handing = (txRequests: readonly JsonObject[]) => (world: RecordingWorld) =>
  handOver(world, Family.Operation, (handoffs, idempotencyKey) =>
    handoffs.createOperation(alice, {
      type: 'erc20_transfer',
      network: 'testnet',
      chainId: CHAIN_ID,
      summary: { title: 'Pay invoice INV-7' },
      payload: { invoice: 'INV-7' },
      steps: txRequests.map((txRequest, i) => ({ label: `Transfer ${i + 1}`, txRequest })),
      ttlSeconds: 3_600,
      idempotencyKey,
    }),
  );
const one = handing([transfer()]);
const two = handing([transfer(), transfer({ data: '0x095ea7b3' })]);

const FIRST = 'step_1';
const SECOND = 'step_2';
const open = async ({ status }: Handed) => {
  await status({ status: 'opened' });
  await status({ status: 'wallet_connected' });
};
const request = ({ status }: Handed, stepId = FIRST) =>
  status({ status: 'tx_requested', stepId, account: OWNER });
const refuse = ({ status }: Handed, stepId = FIRST) =>
  status({ status: 'failed', stepId, error: 'User rejected the request' });
const send = async (handed: Handed, stepId = FIRST, data = '0xa9059cbb', from = OWNER) => {
  const txHash = handed.chain.send({ from, to: TO, value: 5n, data });
  await handed.status({ status: 'tx_submitted', stepId, txHash });
  return txHash;
};
const confirm = async ({ chain, look }: Handed, hash: Parameters<Handed['chain']['mine']>[0]) => {
  chain.mine(hash);
  await look();
  chain.advance(5);
  await look();
};

export const transactionStories: Stories = {
  'operation/transaction-untouched': about(one, async () => {}),
  'operation/transaction-opened': about(one, ({ status }) => status({ status: 'opened' })),
  'operation/transaction-wallet-connected': about(one, open),
  'operation/transaction-wallet-asked': about(one, async (handed) => {
    await open(handed);
    await request(handed);
  }),
  'operation/transaction-submitted': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await send(handed);
  }),
  'operation/transaction-completed': about(two, async (handed) => {
    await open(handed);
    await request(handed);
    const first = await send(handed);
    await handed.look();
    await confirm(handed, first);
    await request(handed, SECOND);
    await confirm(handed, await send(handed, SECOND, '0x095ea7b3'));
  }),
  'operation/transaction-of-a-named-signer': about(handing([transfer({ from: OWNER })]), async (handed) => {
    await open(handed);
    await request(handed);
    await confirm(handed, await send(handed));
  }),
  'operation/transaction-failed': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await refuse(handed);
  }),
  'operation/transaction-failed-then-retried': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await refuse(handed);
    await request(handed);
    await confirm(handed, await send(handed));
  }),
  'operation/transaction-reverted-then-retried': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    handed.chain.mine(await send(handed), 'reverted');
    await handed.look();
    handed.chain.advance(5);
    await handed.look();
    await request(handed);
    await send(handed);
  }),
  'operation/transaction-mismatched': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await send(handed, FIRST, '0xdeadbeef');
    await handed.look();
  }),
  'operation/transaction-mismatched-then-retried': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await send(handed, FIRST, '0xdeadbeef');
    await handed.look();
    await confirm(handed, await send(handed));
  }),
  'operation/transaction-reorged': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    const hash = await send(handed);
    handed.chain.mine(hash);
    await handed.look();
    handed.chain.reorg(hash);
    await handed.look();
  }),
  'operation/transaction-reorged-then-completed': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    const hash = await send(handed);
    handed.chain.mine(hash);
    await handed.look();
    handed.chain.reorg(hash);
    await handed.look();
    await confirm(handed, hash);
    await handed.look();
  }),
  'operation/transaction-hash-replaced-while-wallet-waits': about(two, async (handed) => {
    await open(handed);
    await request(handed);
    handed.chain.mine(await send(handed));
    await handed.look();
    await request(handed, SECOND);
    await confirm(handed, await send(handed));
    await confirm(handed, await send(handed, SECOND, '0x095ea7b3'));
  }),
  'operation/transaction-cancelled-by-creator': about(one, ({ cancel }) => cancel('creator')),
  'operation/transaction-cancelled-by-admin': about(one, ({ cancel }) => cancel('admin')),
  'operation/transaction-cancelled-with-secret': about(one, ({ cancel }) => cancel('secret')),
  'operation/transaction-cancelled-by-person': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await handed.status({ status: 'cancelled' });
  }),
  'operation/transaction-expired': about(one, async (handed) => {
    await open(handed);
    await handed.waitFor(61 * MINUTE);
  }),
  'operation/transaction-expired-while-wallet-waits': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await handed.waitFor(2 * DAY);
  }),
  'operation/transaction-expired-then-matched': about(two, async (handed) => {
    await open(handed);
    await request(handed);
    const hash = await send(handed);
    await handed.waitFor(61 * MINUTE);
    await confirm(handed, hash);
  }),
  'operation/transaction-expired-then-closed': about(two, async (handed) => {
    await open(handed);
    await request(handed);
    await send(handed);
    await handed.waitFor(61 * MINUTE);
    await handed.waitFor(2 * DAY);
  }),
  'operation/transaction-closed-pending': about(one, async (handed) => {
    await open(handed);
    await request(handed);
    await send(handed);
    await handed.look();
    await handed.waitFor(2 * DAY);
  }),
  'operation/transaction-closed-unverified': about(
    two,
    async (handed) => {
      await open(handed);
      await request(handed);
      await send(handed);
      await request(handed, SECOND);
      await send(handed, SECOND, '0x095ea7b3');
      await handed.waitFor(61 * MINUTE);
    },
    { watched: false },
  ),
};

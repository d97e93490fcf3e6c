/** Transactions that take one another's place, on a real chain that mines only when it is told (review:2.2). */
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';
import { refuseTraces, watchedWorld } from './support/asked.js';

let anvil: Anvil;
let world: Awaited<ReturnType<typeof watchedWorld>>;
/** An RPC that traces nothing. */
let rpc: XgrRpc;
let untraced: typeof world;
let payments = 0n;
const GWEI = 10n ** 9n;

beforeAll(async () => {
  anvil = await startAnvil();
  await anvil.mine(2);
  world = await watchedWorld(anvil);
  rpc = await startXgrRpc(anvil.url);
  rpc.setFault(refuseTraces);
  untraced = await watchedWorld(anvil, { url: rpc.url });
});
afterAll(async () => {
  await world?.close();
  await untraced?.close();
  await rpc?.stop();
  await anvil?.stop();
});

const signer = () => anvil.account(5);
const payment = () => ({ to: anvil.account(1).address as Hex, value: ++payments });

interface Sent {
  readonly to: Hex;
  readonly value?: bigint;
  readonly nonce?: number;
  readonly fee?: bigint;
}
const send = ({ to, value = 0n, nonce, fee = 10n }: Sent): Promise<Hex> =>
  anvil.client.sendTransaction({
    account: signer(),
    to,
    value,
    gas: 30_000n,
    maxFeePerGas: fee * GWEI,
    maxPriorityFeePerGas: fee * GWEI,
    ...(nonce !== undefined && { nonce }),
  });
const nextNonce = () => anvil.client.getTransactionCount({ address: signer().address, blockTag: 'pending' });

async function asked(call: { to: Hex; value: bigint }, on = world) {
  const request = await on.request(signer().address, [call]);
  await request.ask();
  return request;
}

describe('a transaction that was sent', () => {
  it('review:S2 sped up goes on under its new hash, and is done', async () => {
    const call = payment();
    const request = await asked(call);
    const nonce = await nextNonce();
    const slow = await send({ ...call, nonce });
    await request.claim(slow);
    await request.until({ effect: 'unknown', claim: { value: slow } });
    const fast = await send({ ...call, nonce, fee: 30n });
    await request.until({ reasonCode: 'SPED_UP', claim: { value: fast, was: [slow] } });
    await anvil.mine(3);
    await request.until({ status: 'completed', effect: 'done', claim: { carrier: fast } });
  });

  it('review:S2 cancelled in the wallet is REPLACED, and only when that is deep', async () => {
    const call = payment();
    const request = await asked(call);
    const nonce = await nextNonce();
    const gone = await send({ ...call, nonce });
    await request.claim(gone);
    await request.until({ effect: 'unknown', claim: { value: gone } });
    const instead = await send({ to: signer().address, nonce, fee: 30n });
    // The node forgets the first at once, and nothing is decided by that.
    await request.stays({ effect: 'unknown' });
    await anvil.mine();
    await request.stays({ effect: 'unknown' });
    await anvil.mine(3);
    await request.until({ effect: 'none', reasonCode: 'REPLACED', reasonDetail: 'cancelled_in_wallet' });
    expect((await request.get()).steps[0].claims[0]).toMatchObject({ value: gone, by: instead });
  });

  it('review:1.4 row 24: dropped by the node, its number free, stays unknown, and may still come', async () => {
    const call = payment();
    const request = await asked(call);
    const nonce = await nextNonce();
    const hash = await send({ ...call, nonce });
    await request.claim(hash);
    await request.until({ effect: 'unknown', claim: { value: hash } });
    await anvil.client.dropTransaction({ hash });
    await request.until({ effect: 'unknown', reasonCode: 'DROPPED' });
    await anvil.mine(4);
    await request.stays({ effect: 'unknown', reasonCode: 'DROPPED' });
    expect(await send({ ...call, nonce })).toBe(hash);
    await anvil.mine(3);
    await request.until({ status: 'completed', effect: 'done' });
  });

  it('review:S1 behind a gap in its numbers waits, and is done when the gap is filled', async () => {
    const call = payment();
    const request = await asked(call);
    const nonce = await nextNonce();
    const hash = await send({ ...call, nonce: nonce + 1 });
    await request.claim(hash);
    await anvil.mine(4);
    await request.stays({ effect: 'unknown', claim: { value: hash } });
    await send({ ...payment(), nonce });
    await anvil.mine(4);
    await request.until({ status: 'completed', effect: 'done', claim: { carrier: hash } });
  });

  it('review:2.3 that also hands its account to code is `different`; the next of that account is an ordinary one', async () => {
    const call = payment();
    const requests = [await asked(call), await asked(call, untraced)];
    const authorization = await anvil.client.signAuthorization({
      account: signer(),
      contractAddress: anvil.account(9).address,
      executor: 'self',
    });
    const hash = await anvil.client.sendTransaction({
      account: signer(),
      ...call,
      type: 'eip7702',
      authorizationList: [authorization],
      gas: 200_000n,
    });
    await anvil.mine(4);
    for (const request of requests) {
      await request.claim(hash);
      await request.until({ effect: 'different', reasonDetail: 'delegates_account' });
    }
    const next = payment();
    const second = await asked(next);
    const plain = await send(next);
    await anvil.mine(4);
    await second.until({
      status: 'completed',
      claim: { source: 'nonce', carrier: plain, proof: 'transaction' },
    });
  });

  it('review:S1 that nobody told of is found among others of the account', async () => {
    const call = payment();
    const request = await asked(call);
    for (let i = 0; i < 3; i++) await send(payment());
    const hash = await send(call);
    await send(payment());
    await anvil.mine(4);
    await request.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
  });
});

import type { BlockRef } from '@handover/core';
import { encodeFunctionData, type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChainReader, type RpcReader } from '../../packages/server/src/chain/chain-reader.js';
import {
  checkTransaction,
  type ExpectedTransaction,
  mismatchOf,
} from '../../packages/server/src/chain/check-transaction.js';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { testToken, tokenCreation } from '../kit/contracts.js';

const CONFIRMATIONS = 3;
let anvil: Anvil;
let reader: RpcReader;
let token: Hex;

beforeAll(async () => {
  anvil = await startAnvil();
  reader = createChainReader({ rpcs: new Map([[anvil.chainId, new URL(anvil.url)]]) });
  token = await anvil.deploy(0, tokenCreation());
});
afterAll(() => anvil?.stop());

const alice = () => anvil.account(0);
const bob = () => anvil.account(1);

function transferOf(value: bigint): ExpectedTransaction & { readonly to: Hex; readonly data: Hex } {
  const data = encodeFunctionData({ ...testToken, functionName: 'transfer', args: [bob().address, value] });
  return { from: alice().address, to: token, value: 0n, data };
}

const send = ({ to, value, data }: { to?: Hex; value: bigint; data: Hex }, more: object = {}) =>
  anvil.client.sendTransaction({ account: alice(), ...(to && { to }), value, data, ...more });

async function check(hash: Hex, expected: ExpectedTransaction, seen?: BlockRef) {
  const client = await reader.chain(anvil.chainId);
  if (!client) throw new Error('no client');
  return checkTransaction(client, hash, expected, { confirmations: CONFIRMATIONS, ...(seen && { seen }) });
}

describe('a claimed transaction', () => {
  it('an ERC-20 transfer is pending, then confirming, then matched after three blocks', async () => {
    const transfer = transferOf(5n);
    const hash = await send(transfer);
    expect(await check(hash, transfer)).toMatchObject({ verdict: 'pending', detail: 'not_mined' });
    await anvil.mine();
    const first = await check(hash, transfer);
    expect(first).toMatchObject({ verdict: 'pending', confirmations: 1 });
    await anvil.mine();
    expect(await check(hash, transfer, first.block)).toMatchObject({ verdict: 'pending', confirmations: 2 });
    await anvil.mine();
    const last = await check(hash, transfer, first.block);
    expect(last).toMatchObject({ verdict: 'matched', confirmations: 3, block: first.block });
  });

  it('addresses and data in any case mean the same', async () => {
    const transfer = transferOf(6n);
    const hash = await send(transfer);
    await anvil.mine(3);
    const shouted = {
      ...transfer,
      from: alice().address.toLowerCase(),
      to: `0x${token.slice(2).toUpperCase()}`,
      data: `0x${transfer.data.slice(2).toUpperCase()}`,
    };
    expect(await check(hash, shouted)).toMatchObject({ verdict: 'matched' });
    expect(await check(hash.toUpperCase().replace('0X', '0x') as Hex, transfer)).toMatchObject({
      verdict: 'matched',
    });
  });

  it.each(['legacy', 'eip2930', 'eip1559'] as const)('of type %s is recognised', async (type) => {
    const transfer = transferOf(7n);
    const fees = type === 'eip1559' ? {} : { gasPrice: parseEther('0.00000001') };
    const hash = await send(transfer, { type, ...fees });
    await anvil.mine(3);
    expect(await check(hash, transfer)).toMatchObject({ verdict: 'matched' });
  });

  it('that differs in any field is mismatched, before and after it is mined', async () => {
    const transfer = transferOf(8n);
    const hash = await send(transfer);
    const wrong: readonly [string, Partial<ExpectedTransaction>][] = [
      ['from_differs', { from: bob().address }],
      ['to_differs', { to: bob().address }],
      ['value_differs', { value: 1n }],
      ['data_differs', { data: transferOf(9n).data }],
      ['data_differs', { data: `${transfer.data}00` }],
    ];
    // Before it is deep nothing has moved for good.
    for (const verdict of ['shallow', 'different']) {
      for (const [detail, fields] of wrong)
        expect(await check(hash, { ...transfer, ...fields })).toMatchObject({ verdict, detail });
      const { to: _to, ...creation } = transfer;
      expect(await check(hash, creation)).toMatchObject({ verdict, detail: 'to_differs' });
      await anvil.mine(3);
    }
  });

  it('for another chain is mismatched', async () => {
    const transfer = transferOf(10n);
    const hash = await send(transfer);
    await anvil.mine();
    const client = await reader.chain(anvil.chainId);
    const transaction = await client?.getTransaction(hash);
    if (!transaction) throw new Error('not there');
    expect(mismatchOf(transaction, transfer, anvil.chainId)).toBeUndefined();
    expect(mismatchOf(transaction, transfer, 1)).toBe('chain_differs');
    const { chainId: _chainId, ...unprotected } = transaction;
    expect(mismatchOf(unprotected, transfer, 1)).toBeUndefined();
  });

  it('the hash of another transaction is mismatched; of none, pending', async () => {
    const other = await send({ to: bob().address, value: 1n, data: '0x' });
    await anvil.mine(3);
    expect(await check(other, transferOf(5n))).toMatchObject({ verdict: 'different' });
    expect(await check(`0x${'ab'.repeat(32)}`, transferOf(5n))).toEqual({
      verdict: 'pending',
      detail: 'not_found',
    });
  });

  it('that also hands the account to code is mismatched', async () => {
    const transfer = transferOf(11n);
    const authorization = await anvil.client.signAuthorization({
      account: alice(),
      contractAddress: token,
      executor: 'self',
    });
    const hash = await send(transfer, { type: 'eip7702', authorizationList: [authorization], gas: 200_000n });
    await anvil.mine(3);
    expect(await check(hash, transfer)).toMatchObject({ verdict: 'different', detail: 'delegates_account' });
  });

  it('that creates a contract is matched and names it', async () => {
    const data = tokenCreation(1n);
    const hash = await send({ value: 0n, data });
    await anvil.mine(3);
    const { contractAddress } = await anvil.client.getTransactionReceipt({ hash });
    expect(await check(hash, { from: alice().address, value: 0n, data })).toMatchObject({
      verdict: 'matched',
      contract: contractAddress?.toLowerCase(),
    });
  });

  it('that reverted fails, and only when it is deep enough; until then it opens nothing', async () => {
    const transfer = transferOf(10n ** 30n);
    const hash = await send(transfer, { gas: 100_000n });
    await anvil.mine();
    expect(await check(hash, transfer)).toMatchObject({
      verdict: 'pending',
      detail: 'reverted',
      confirmations: 1,
    });
    await anvil.mine(2);
    expect(await check(hash, transfer)).toMatchObject({ verdict: 'reverted' });
  });

  it('that was replaced is not found again; the one in its place is matched', async () => {
    const transfer = transferOf(12n);
    const nonce = await anvil.client.getTransactionCount({ address: alice().address });
    const fees = (gwei: bigint) => ({
      maxFeePerGas: gwei * 10n ** 9n,
      maxPriorityFeePerGas: gwei * 10n ** 9n,
    });
    const first = await send(transfer, { nonce, ...fees(5n) });
    expect(await check(first, transfer)).toMatchObject({ verdict: 'pending', detail: 'not_mined' });
    const second = await send(transfer, { nonce, ...fees(50n) });
    await anvil.mine(3);
    expect(await check(first, transfer)).toEqual({ verdict: 'pending', detail: 'not_found' });
    expect(await check(second, transfer)).toMatchObject({ verdict: 'matched' });
  });
});

describe('a reorganisation', () => {
  beforeEach(() => anvil.mine(3));

  it('is noticed, takes the step back, and a new transaction starts over', async () => {
    const transfer = transferOf(13n);
    const hash = await send(transfer);
    await anvil.mine(2);
    const { verdict, block } = await check(hash, transfer);
    expect(verdict).toBe('pending');
    await anvil.reorg(2);
    expect(await check(hash, transfer, block)).toMatchObject({ verdict: 'reorged' });
    expect(await check(hash, transfer)).toMatchObject({ verdict: 'pending' });
    const again = await send(transfer);
    await anvil.mine(3);
    expect(await check(again, transfer)).toMatchObject({ verdict: 'matched' });
  });

  it('that mines the same transaction in another block is noticed too', async () => {
    const transfer = transferOf(14n);
    const snapshot = await anvil.client.snapshot();
    const request = await anvil.client.prepareTransactionRequest({ account: alice(), ...transfer });
    const signed = await alice().signTransaction(
      request as Parameters<ReturnType<typeof alice>['signTransaction']>[0],
    );
    const hash = await anvil.client.sendRawTransaction({ serializedTransaction: signed });
    await anvil.mine();
    const { block } = await check(hash, transfer);
    await anvil.client.revert({ id: snapshot });
    await anvil.mine();
    await anvil.client.sendRawTransaction({ serializedTransaction: signed });
    await anvil.mine(3);
    expect(await check(hash, transfer, block)).toMatchObject({
      verdict: 'reorged',
      detail: 'block_changed',
    });
    expect(await check(hash, transfer)).toMatchObject({ verdict: 'matched' });
  });
});

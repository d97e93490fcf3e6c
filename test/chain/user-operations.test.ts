/** ERC-4337 accounts on a real chain, behind a real EntryPoint (review:2). */
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { testToken, tokenCreation } from '../kit/contracts.js';
import { type Call, deployAccount, type TestAccount } from '../kit/smart-accounts.js';
import { startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';
import { refuseTraces, watchedWorld } from './support/asked.js';

type Watched = Awaited<ReturnType<typeof watchedWorld>>;
let anvil: Anvil;
let rpc: XgrRpc;
let account: TestAccount;
let token: Hex;
let world: Watched;
/** The same server behind an RPC that traces nothing. */
let untraced: Watched;
let payments = 0n;

beforeAll(async () => {
  anvil = await startAnvil();
  rpc = await startXgrRpc(anvil.url);
  rpc.setFault(refuseTraces);
  account = await deployAccount(anvil);
  token = (await anvil.deploy(0, tokenCreation())) as Hex;
  await anvil.client.sendTransaction({
    account: anvil.account(0),
    to: token,
    data: transfer(account.address, 1_000n),
  });
  await anvil.client.setBalance({ address: account.address, value: 10n ** 18n });
  await anvil.mine();
  world = await watchedWorld(anvil, { entryPoints: [account.entryPoint] });
  untraced = await watchedWorld(anvil, { url: rpc.url, entryPoints: [account.entryPoint] });
});
afterAll(async () => {
  await world?.close();
  await untraced?.close();
  await rpc?.stop();
  await anvil?.stop();
});

const transfer = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ ...testToken, functionName: 'transfer', args: [to, amount] });
const tokens = (amount = ++payments): Call => ({
  to: token,
  data: transfer(anvil.account(1).address, amount),
});
const coins = (): Call => ({ to: anvil.account(1).address as Hex, value: ++payments });

async function asked(call: Call, on: Watched = world) {
  const request = await on.request(account.address, [call]);
  await request.ask();
  return request;
}

describe('an operation of an ERC-4337 account', () => {
  it('review:2.1 is found by its own hash, and proven by a trace', async () => {
    const call = coins();
    const request = await asked(call);
    const { userOpHash, txHash } = await account.run([call]);
    await request.claim(userOpHash);
    await request.until({ effect: 'unknown' });
    await anvil.mine(3);
    await request.until({
      status: 'completed',
      effect: 'done',
      claim: { kind: 'userop', value: userOpHash, carrier: txHash, proof: 'trace' },
    });
  });

  it('review:S3 is found though nobody tells', async () => {
    const call = tokens();
    const request = await asked(call);
    const { userOpHash } = await account.run([call]);
    await anvil.mine(3);
    await request.until({
      status: 'completed',
      claim: { kind: 'userop', source: 'logs', value: userOpHash },
    });
  });

  it('review:2.3 with two identical calls is `exceeded`', async () => {
    const call = tokens();
    const request = await asked(call);
    const { userOpHash } = await account.run([call, call]);
    await request.claim(userOpHash);
    await anvil.mine(3);
    await request.until({ effect: 'exceeded', reasonCode: 'PAID_TWICE' });
    expect((await request.get()).steps[0].claims[0].frames).toHaveLength(2);
  });

  it.each(['trace', 'none'] as const)(
    'review:V2 whose call failed is REVERTED, though the transaction succeeds (%s)',
    async (proof) => {
      const call = tokens(1_000_000n + ++payments);
      const request = await asked(call, proof === 'trace' ? world : untraced);
      const { userOpHash, txHash } = await account.run([call]);
      const { status } = await anvil.client.getTransactionReceipt({ hash: txHash });
      expect(status).toBe('success');
      await request.claim(userOpHash);
      await request.until({ effect: 'unknown' });
      await anvil.mine(3);
      await request.until({ effect: 'none', reasonCode: 'REVERTED', claim: { carrier: txHash } });
    },
  );

  it('review:2.3 for something else is `different`', async () => {
    const request = await asked(coins());
    const { userOpHash } = await account.run([coins()]);
    await request.claim(userOpHash);
    await anvil.mine(3);
    await request.until({ effect: 'different', reasonCode: 'MISMATCHED' });
  });

  it('review:2.3 without traces: tokens are proven by their effects, coins are not proven', async () => {
    const [token_, coin] = [tokens(), coins()];
    const [one, two] = [await asked(token_, untraced), await asked(coin, untraced)];
    const first = await account.run([token_]);
    const second = await account.run([coin]);
    await one.claim(first.userOpHash);
    await two.claim(second.userOpHash);
    await anvil.mine(3);
    await one.until({ status: 'completed', claim: { kind: 'userop', proof: 'effects' } });
    await two.until({ effect: 'unknown', reasonCode: 'INNER_CALL_UNPROVEN', claim: { kind: 'userop' } });
  });

  it('review:2.1 of an EntryPoint that nobody knows is never found', async () => {
    const plain = await watchedWorld(anvil);
    try {
      const call = tokens();
      const request = await plain.request(account.address, [call]);
      await request.ask();
      const { userOpHash } = await account.run([call]);
      await request.claim(userOpHash);
      await anvil.mine(3);
      await request.stays({ effect: 'unknown', claim: { kind: 'tx' } });
    } finally {
      await plain.close();
    }
  });
});

describe('a payment of tokens that only its log shows', () => {
  const erc20 = parseAbi(['function transferFrom(address from, address to, uint256 amount)']);
  const moved = (from: string, amount: bigint): Call => ({
    to: token,
    data: encodeFunctionData({ abi: erc20, args: [from as Hex, anvil.account(1).address, amount] }),
  });
  const requestOf = async (who: string, call: Call) => {
    const request = await untraced.request(who, [call]);
    await request.ask();
    return request;
  };

  it('review:2.3 proves nothing for an account that had no part in it', async () => {
    const payer = anvil.account(0);
    const amount = ++payments;
    const request = await requestOf(account.address, moved(payer.address, amount));
    const { data = '0x' } = tokens(amount);
    const hash = await anvil.client.sendTransaction({ account: payer, to: token, data });
    await anvil.mine(4);
    await request.claim(hash);
    await request.until({ effect: 'unknown', reasonCode: 'INNER_CALL_UNPROVEN' });
    await request.stays({ effect: 'unknown' });
  });

  it('review:C3 is for one request, however many accounts had a part in it', async () => {
    const bundler = anvil.account(0).address;
    const call = tokens();
    const owner = await requestOf(account.address, call);
    // An account with a key that runs code: it sends the transaction that carries the operation.
    await anvil.client.setCode({ address: bundler, bytecode: `0xef0100${'ab'.repeat(20)}` });
    const carrier = await requestOf(bundler, moved(account.address, payments));
    const { userOpHash, txHash } = await account.run([call]);
    await owner.claim(userOpHash);
    await anvil.mine(3);
    await owner.until({
      status: 'completed',
      claim: { proof: 'effects', frames: [expect.stringMatching(/^log-/)] },
    });
    await carrier.claim(txHash);
    await carrier.until({ effect: 'unknown', reasonCode: 'HASH_USED' });
    await anvil.client.setCode({ address: bundler, bytecode: '0x' });
  });

  it('review:C3 also when one was proven by its calls, and the next is by its log', async () => {
    const call = tokens();
    rpc.setFault(undefined);
    const other = await watchedWorld(anvil, { url: rpc.url, entryPoints: [account.entryPoint] });
    const [first, second] = [await asked(call, other), await asked(call, other)];
    const { userOpHash, txHash } = await account.run([call]);
    await first.claim(userOpHash);
    await anvil.mine(3);
    await first.until({ status: 'completed', claim: { proof: 'trace' } });
    rpc.setFault(refuseTraces);
    await second.claim(txHash);
    await second.until({ effect: 'unknown', reasonCode: 'HASH_USED' });
    await other.close();
  });
});

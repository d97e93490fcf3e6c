/** ERC-4337 accounts on a real chain, behind a real EntryPoint (review:2). */
import { encodeFunctionData, type Hex } from 'viem';
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

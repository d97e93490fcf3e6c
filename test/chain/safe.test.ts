/** Safe accounts on a real chain (review:2): what is paid is told only when the call inside is proven. */
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { testToken, tokenCreation } from '../kit/contracts.js';
import { deploySafe, type TestSafe } from '../kit/smart-accounts.js';
import { startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';
import { refuseTraces, watchedWorld } from './support/asked.js';

type Watched = Awaited<ReturnType<typeof watchedWorld>>;
let anvil: Anvil;
let rpc: XgrRpc;
let safe: TestSafe;
let token: Hex;
let world: Watched;
/** The same server behind an RPC that traces nothing. */
let untraced: Watched;
let nonce = 0;
let payments = 0n;

beforeAll(async () => {
  anvil = await startAnvil();
  rpc = await startXgrRpc(anvil.url);
  rpc.setFault(refuseTraces);
  safe = await deploySafe(anvil);
  token = (await anvil.deploy(0, tokenCreation())) as Hex;
  await anvil.client.sendTransaction({
    account: anvil.account(0),
    to: token,
    data: transfer(safe.address, 1_000n),
  });
  await anvil.client.setBalance({ address: safe.address, value: 10n ** 18n });
  await anvil.mine();
  world = await watchedWorld(anvil, { singletons: [safe.singleton] });
  untraced = await watchedWorld(anvil, { url: rpc.url, singletons: [safe.singleton] });
});
afterAll(async () => {
  await world?.close();
  await untraced?.close();
  await rpc?.stop();
  await anvil?.stop();
});

const transfer = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ ...testToken, functionName: 'transfer', args: [to, amount] });
/** No two of them are the same. */
const tokens = () => ({ to: token, data: transfer(anvil.account(1).address, ++payments) });
const coins = () => ({ to: anvil.account(1).address as Hex, value: ++payments });

async function asked(call: { to: Hex; value?: bigint; data?: Hex }, on: Watched = world) {
  const request = await on.request(safe.address, [call]);
  await request.ask();
  return request;
}

describe('a Safe of two owners', () => {
  it('review:2.1 review:V3 a hash that owners sign is recognised before it is carried out, and settles when it is', async () => {
    const call = coins();
    const request = await asked(call);
    const signed = safe.signed(call, nonce++);
    await request.claim(signed.hash);
    await request.until({
      effect: 'unknown',
      reasonCode: 'SAFE_PENDING',
      claim: { kind: 'safe', value: signed.hash, owners: 2 },
    });
    await request.stays({ reasonCode: 'SAFE_PENDING' });
    const carrier = await safe.execute(signed);
    await anvil.mine(3);
    await request.until({
      status: 'completed',
      effect: 'done',
      claim: { kind: 'safe', value: signed.hash, carrier, proof: 'trace', boundBy: 'ask' },
    });
  });

  it('review:2.1 the hash of the transaction that carries it is as good', async () => {
    const call = tokens();
    const request = await asked(call);
    const carrier = await safe.execute(safe.signed(call, nonce++));
    await request.claim(carrier);
    await request.until({ effect: 'unknown', claim: { kind: 'tx' } });
    await anvil.mine(3);
    await request.until({ status: 'completed', claim: { kind: 'tx', carrier, proof: 'trace' } });
  });

  it('review:S3 nobody tells of it: the log of the Safe does', async () => {
    const call = coins();
    const request = await asked(call);
    // Something else of the same Safe is not taken for it.
    await safe.execute(safe.signed(coins(), nonce++));
    const signed = safe.signed(call, nonce++);
    await safe.execute(signed);
    await anvil.mine(3);
    await request.until({ status: 'completed', claim: { source: 'logs', kind: 'safe', value: signed.hash } });
  });

  it.each(['trace', 'safe_event'] as const)(
    'review:V2 a call that fails inside is REVERTED, though the transaction succeeds (%s)',
    async (proof) => {
      const on = proof === 'trace' ? world : untraced;
      // More than the Safe has.
      const call = { to: token, data: transfer(anvil.account(1).address, 1_000_000n + ++payments) };
      const request = await asked(call, on);
      const signed = safe.signed(call, nonce++, { safeTxGas: proof === 'trace' ? 100_000n : 200_000n });
      const carrier = await safe.execute(signed);
      const { status } = await anvil.client.getTransactionReceipt({ hash: carrier });
      expect(status).toBe('success');
      await request.claim(carrier);
      await request.until({ effect: 'unknown' });
      await anvil.mine(3);
      await request.until({ effect: 'none', reasonCode: 'REVERTED', claim: { carrier } });
    },
  );

  it('review:V3 what waits behind another number goes on waiting, and a rejection in its place is REPLACED', async () => {
    const call = coins();
    const request = await asked(call);
    const queued = safe.signed(call, nonce + 1);
    await request.claim(queued.hash);
    await request.until({ reasonCode: 'SAFE_PENDING' });
    await safe.execute(safe.signed(coins(), nonce++));
    await anvil.mine(3);
    await request.stays({ effect: 'unknown', reasonCode: 'SAFE_PENDING' });
    // How owners reject: nothing, to the Safe itself, with its number.
    const by = await safe.execute(safe.signed({ to: safe.address }, nonce++));
    await request.stays({ effect: 'unknown' });
    await anvil.mine(3);
    await request.until({ effect: 'none', reasonCode: 'REPLACED', claim: { value: queued.hash, by } });
  });

  it('review:V3 a transaction of the Safe for something else is `different` once it is carried out', async () => {
    const request = await asked(coins());
    const other = safe.signed(coins(), nonce++);
    await request.claim(other.hash);
    await request.stays({ effect: 'unknown' });
    await safe.execute(other);
    await anvil.mine(3);
    await request.until({ effect: 'different', reasonCode: 'MISMATCHED' });
  });

  it('review:2.3 a carrier that reverts settles nothing: what was signed can be carried out again', async () => {
    const call = coins();
    const request = await asked(call);
    const signed = safe.signed(call, nonce);
    await anvil.client.setBalance({ address: safe.address, value: 0n });
    const vain = await safe.execute(signed);
    await request.claim(vain);
    await anvil.mine(4);
    await request.stays({ effect: 'unknown' });
    await anvil.client.setBalance({ address: safe.address, value: 10n ** 18n });
    await safe.execute(signed);
    nonce += 1;
    await request.claim(signed.hash);
    await anvil.mine(3);
    await request.until({ status: 'completed', effect: 'done' });
  });

  it('review:2.3 review:C3 MultiSend: two requests are served by two calls of one transaction', async () => {
    const [first, second] = [tokens(), coins()];
    const [one, two] = [await asked(first), await asked(second)];
    const carrier = await safe.execute(safe.several([first, second], nonce++));
    await one.claim(carrier);
    await two.claim(carrier);
    await anvil.mine(3);
    for (const request of [one, two])
      await request.until({ status: 'completed', effect: 'done', claim: { carrier, proof: 'trace' } });
  });

  it('review:2.3 a carrier that also hands an account to code is `different`, whoever sent it', async () => {
    const call = coins();
    const request = await asked(call);
    const authorization = await anvil.client.signAuthorization({
      account: anvil.account(7),
      contractAddress: token,
    });
    const more = { type: 'eip7702', authorizationList: [authorization] };
    await request.claim(await safe.execute(safe.signed(call, nonce++), more));
    await anvil.mine(3);
    await request.until({ effect: 'different', reasonDetail: 'delegates_account' });
  });

  it('review:C3 two requests for the same call need two calls', async () => {
    const call = coins();
    const one = await asked(call);
    world.clock.now += 1_000;
    const two = await asked(call);
    const carrier = await safe.execute(safe.several([call, call], nonce++));
    await one.claim(carrier);
    await two.claim(carrier);
    await anvil.mine(3);
    await one.until({ status: 'completed', effect: 'done' });
    await two.until({ status: 'completed', effect: 'done' });
    const third = await asked(call);
    await third.claim(carrier);
    await third.until({ effect: 'unknown', claim: { verification: 'mismatched' } });
  });
});

describe('an RPC that traces nothing', () => {
  it('review:2.3 safe_event proves coins of a Safe whose code is known', async () => {
    const call = coins();
    const request = await asked(call, untraced);
    const carrier = await safe.execute(safe.signed(call, nonce++));
    await request.claim(carrier);
    await anvil.mine(3);
    await request.until({ status: 'completed', claim: { carrier, proof: 'safe_event' } });
  });

  it('review:V7 is asked for a trace once in ten minutes', async () => {
    const traces = () => rpc.asked.filter(({ method }) => method === 'debug_traceTransaction').length;
    // Two looks may have begun at once.
    expect([1, 2]).toContain(traces());
    const call = coins();
    const request = await asked(call, untraced);
    const before = traces();
    await request.claim(await safe.execute(safe.signed(call, nonce++)));
    await request.stays({ effect: 'unknown' });
    expect(traces()).toBe(before);
  });

  it('review:2.3 effects prove a token in a MultiSend, and nothing proves coins', async () => {
    const [token_, coin] = [tokens(), coins()];
    const [one, two] = [await asked(token_, untraced), await asked(coin, untraced)];
    const carrier = await safe.execute(safe.several([token_, coin], nonce++));
    await one.claim(carrier);
    await two.claim(carrier);
    await anvil.mine(3);
    await one.until({ status: 'completed', claim: { carrier, proof: 'effects' } });
    await two.until({ effect: 'unknown', reasonCode: 'INNER_CALL_UNPROVEN', claim: { carrier } });
    await two.stays({ effect: 'unknown' });
  });
});

describe.each(['with', 'without'] as const)('an RPC %s traces', (traces) => {
  it('review:V4 code of others that the Safe runs on itself is not what was asked', async () => {
    const request = await asked(coins(), traces === 'with' ? world : untraced);
    const carrier = await safe.execute(
      safe.signed({ to: anvil.account(1).address }, nonce++, { operation: 1 }),
    );
    await request.claim(carrier);
    await request.stays({ effect: 'unknown' });
    await anvil.mine(3);
    await request.until({ effect: 'different', reasonCode: 'MISMATCHED', reasonDetail: 'to_differs' });
  });
});

describe('a contract that only says it is a Safe', () => {
  /** Answers 1 to `nonce()`; else takes a word from its data and writes ExecutionSuccess with it as the topic. */
  const CODE =
    '36600414602f57' +
    '5f357f442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e60205fa200' +
    '5b60015f5260205ff3';
  const creation: Hex = `0x60${(CODE.length / 2).toString(16)}8060093d393df3${CODE}`;

  it.each(['with', 'without'] as const)(
    'review:V1 its line proves nothing: INNER_CALL_UNPROVEN (%s traces)',
    async (traces) => {
      const address = (await anvil.deploy(0, creation)).toLowerCase() as Hex;
      const call = coins();
      const request = await (traces === 'with' ? world : untraced).request(address, [call]);
      await request.ask();
      const { hash } = safe.signed(call, 0, { at: address });
      await anvil.client.sendTransaction({ account: anvil.account(0), to: address, data: hash });
      await request.claim(hash);
      await anvil.mine(4);
      await request.until({
        effect: 'unknown',
        reasonCode: 'INNER_CALL_UNPROVEN',
        claim: { kind: 'safe', value: hash },
      });
      await request.stays({ effect: 'unknown', reasonCode: 'INNER_CALL_UNPROVEN' });
    },
  );
});

describe('a Safe that pays through a module', () => {
  const QUIET_MS = 600_001;
  const notSigned = { status: 'failed', stepId: 's0', stepStatus: 'failed', answer: 'said_not_signed' };
  const abi = parseAbi([
    'function enableModule(address)',
    'function execTransactionFromModule(address,uint256,bytes,uint8)',
  ]);
  /** Calls whoever calls it, with what it was called with. */
  const ECHO = '365f5f375f5f365f5f335af100';
  const echo: Hex = `0x600d8060093d393df3${ECHO}`;
  let echoing: Hex;

  const throughModule = ({ to, value }: { to: Hex; value: bigint }) =>
    encodeFunctionData({ abi, functionName: 'execTransactionFromModule', args: [to, value, '0x', 0] });
  const enable = (module: string) => {
    const data = encodeFunctionData({ abi, functionName: 'enableModule', args: [module as Hex] });
    return safe.execute(safe.signed({ to: safe.address, data }, nonce++));
  };
  const pay = async (call: { to: Hex; value: bigint }) => {
    const sent = { account: anvil.account(5), to: safe.address, data: throughModule(call) };
    const hash = await anvil.client.sendTransaction(sent);
    await anvil.mine(5);
    return hash;
  };
  beforeAll(async () => {
    echoing = (await anvil.deploy(0, echo)) as Hex;
    for (const module of [anvil.account(5).address, echoing]) await enable(module);
    await anvil.mine(3);
  });

  it('review:S3 nobody tells of it: the line of the module does, and the trace proves it', async () => {
    const call = coins();
    const request = await asked(call);
    const carrier = await pay(call);
    await request.until({
      status: 'completed',
      claim: { source: 'logs', kind: 'tx', value: carrier, carrier, proof: 'trace' },
    });
  });

  it('review:E1 where nothing shows what the module did, a quiet time does not end', async () => {
    const call = coins();
    const request = await asked(call, untraced);
    await pay(call);
    await request.post(notSigned);
    untraced.clock.now += QUIET_MS;
    await request.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
  });

  it('review:E1 nor where the owners have called the module, which is all that they signed', async () => {
    const call = coins();
    const request = await asked(call, untraced);
    const before = await anvil.client.getBalance({ address: call.to });
    await safe.execute(safe.signed({ to: echoing, data: throughModule(call) }, nonce++));
    await anvil.mine(5);
    expect((await anvil.client.getBalance({ address: call.to })) - before).toBe(call.value);
    await request.post(notSigned);
    untraced.clock.now += QUIET_MS;
    await request.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
  });

  it('review:E1 it ends when the trace shows that the module did something else', async () => {
    const request = await asked(coins());
    await pay(coins());
    await request.post(notSigned);
    world.clock.now += QUIET_MS;
    await request.until({ effect: 'none', reasonCode: 'NOT_SIGNED' });
  });
});

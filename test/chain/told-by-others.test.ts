/**
 * What the owners of an account sign has two names: its own hash, and the transaction that carries it. Whoever told of it
 * by the one goes before who tells the other later (review:C4).
 */
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import {
  type Call,
  deployAccount,
  deploySafe,
  type TestAccount,
  type TestSafe,
} from '../kit/smart-accounts.js';
import { watchedWorld } from './support/asked.js';

let anvil: Anvil;
let safe: TestSafe;
let account: TestAccount;
let world: Awaited<ReturnType<typeof watchedWorld>>;
let nonce = 0;
let payments = 0n;

beforeAll(async () => {
  anvil = await startAnvil();
  safe = await deploySafe(anvil);
  account = await deployAccount(anvil);
  for (const { address } of [safe, account]) await anvil.client.setBalance({ address, value: 10n ** 18n });
  await anvil.mine();
  world = await watchedWorld(anvil, { singletons: [safe.singleton], entryPoints: [account.entryPoint] });
});
afterAll(async () => {
  await world?.close();
  await anvil?.stop();
});

const coins = (): Call => ({ to: anvil.account(1).address as Hex, value: ++payments });

async function asked(address: string, call: Call, creator: string) {
  const request = await world.request(address, [call], creator);
  await request.ask();
  world.clock.now += 1_000;
  return request;
}
type Request = Awaited<ReturnType<typeof asked>>;

/** The payer tells by the one name, a thief a second later by the other; the thief is looked at first. */
async function told(payer: Request, first: Hex, thief: Request, second: Hex) {
  await payer.claim(first);
  world.clock.now += 1_000;
  await thief.claim(second);
  await anvil.mine(3);
  // As often as it takes to settle something.
  for (let look = 0; look < 4; look++) await world.lookAt((await thief.get()).id);
}

const TAKEN = { effect: 'unknown', reasonCode: 'HASH_USED', reasonDetail: 'of_another_creator' };

describe('whoever told of what owners signed', () => {
  it('review:C4 by the hash of a Safe has it, though another tells its carrier', async () => {
    const call = coins();
    const [payer, thief] = [
      await asked(safe.address, call, 'agent'),
      await asked(safe.address, call, 'mallory'),
    ];
    const signed = safe.signed(call, nonce++);
    await told(payer, signed.hash, thief, await safe.execute(signed));
    const claim = { kind: 'safe', source: 'page', value: signed.hash };
    await payer.until({ status: 'completed', effect: 'done', claim });
    await thief.until(TAKEN);
  });

  it('review:C4 also when it is known by whom it is carried, and the other tells after that', async () => {
    const call = coins();
    const [payer, thief] = [
      await asked(safe.address, call, 'agent'),
      await asked(safe.address, call, 'mallory'),
    ];
    const signed = safe.signed(call, nonce++);
    await payer.claim(signed.hash);
    const carrier = await safe.execute(signed);
    await anvil.mine(1);
    await payer.until({ effect: 'unknown', claim: { carrier } });
    await told(payer, signed.hash, thief, carrier);
    await thief.until(TAKEN);
    await payer.until({ status: 'completed', effect: 'done', claims: [{ kind: 'safe', carrier }] });
  });

  it('review:C4 by the hash of an operation has it, though another tells its carrier', async () => {
    const call = coins();
    const [payer, thief] = [
      await asked(account.address, call, 'agent'),
      await asked(account.address, call, 'mallory'),
    ];
    const { userOpHash, txHash } = await account.run([call]);
    await told(payer, userOpHash, thief, txHash);
    const claim = { kind: 'userop', source: 'page', value: userOpHash };
    await payer.until({ status: 'completed', effect: 'done', claim });
    await thief.until(TAKEN);
  });

  it('review:C4 by the carrier has it, though another tells the hash of the Safe', async () => {
    const call = coins();
    const [payer, thief] = [
      await asked(safe.address, call, 'agent'),
      await asked(safe.address, call, 'mallory'),
    ];
    const signed = safe.signed(call, nonce++);
    const carrier = await safe.execute(signed);
    await told(payer, carrier, thief, signed.hash);
    await payer.until({ status: 'completed', effect: 'done', claim: { kind: 'tx', value: carrier } });
    await thief.until(TAKEN);
  });

  it('review:E1 before its owners did has it, and the request that they signed for never reads as nothing', async () => {
    const call = coins();
    const payer = await asked(safe.address, call, 'agent');
    const thief = await asked(safe.address, call, 'mallory');
    // Who knows the call and the number of a Safe can say its hash in advance.
    const signed = safe.signed(call, nonce++);
    await thief.claim(signed.hash);
    world.clock.now += 1_000;
    await payer.claim(signed.hash);
    await safe.execute(signed);
    await anvil.mine(3);
    await thief.until({ effect: 'done' });
    await payer.until(TAKEN);
    await payer.post({ status: 'failed', stepId: 's0', stepStatus: 'failed', answer: 'said_not_signed' });
    world.clock.now += 11 * 60_000;
    await anvil.mine(4);
    await payer.stays({ effect: 'unknown' });
  });
});

/**
 * Whoever sees a payment can make a request for the same, say that the account is its own, and tell the hash. None of it
 * takes the payment from whose wallet gave it, hides it from the server's own search, or makes nothing of it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { openWatched } from '../chain/support/asked.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';

const CHAIN = 1879;
const TO = hex(0xb0b, 40);
const MINUTE = 60_000;
const chain = new FakeChain(CHAIN);
const world = await openWatched(CHAIN, { chains: readerOf(chain) });
afterAll(() => world.close());
let accounts = 0xc000;

const newAccount = () => hex(++accounts, 40);
const pay = (from: string) => chain.send({ from, to: TO, value: 7n });
const notSigned = { status: 'failed', stepId: 's0', stepStatus: 'failed', answer: 'said_not_signed' };

function mined(hash: ReturnType<typeof pay>) {
  chain.mine(hash);
  chain.advance(10);
}

async function asked(account: string, creator: string, value = 7n) {
  const request = await world.request(account, [{ to: TO, value }], creator);
  await request.ask();
  world.clock.now += 1_000;
  return request;
}

type Request = Awaited<ReturnType<typeof asked>>;

/** Says that nothing was signed, and lets the quiet time pass. */
async function sayNotSigned(request: Request) {
  await request.post(notSigned);
  world.clock.now += 11 * MINUTE;
  chain.advance(1);
}

/** A payment that somebody else told of, before the page of the payer could. */
async function robbed() {
  const account = newAccount();
  const payer = await asked(account, 'agent');
  const thief = await asked(account, 'mallory');
  const hash = pay(account);
  await thief.claim(hash);
  mined(hash);
  await thief.until({ effect: 'done' });
  return { payer, hash };
}

describe('a payment of which others know', () => {
  it('review:C4 counts for the page that told of it first, though another asked before', async () => {
    const account = newAccount();
    const thief = await asked(account, 'mallory');
    const payer = await asked(account, 'agent');
    const hash = pay(account);
    await payer.claim(hash);
    world.clock.now += 1_000;
    await thief.claim(hash);
    mined(hash);
    await payer.until({ status: 'completed', effect: 'done' });
    await thief.until({ effect: 'unknown', reasonCode: 'HASH_USED' });
  });

  it('review:E1 never reads as nothing, when it was counted for a request of somebody else', async () => {
    const { payer, hash } = await robbed();
    await payer.claim(hash);
    await payer.until({ effect: 'unknown', reasonCode: 'HASH_USED', reasonDetail: 'of_another_creator' });
    await sayNotSigned(payer);
    await payer.stays({ effect: 'unknown' });
  });

  it('review:C4 says nothing of a request whose account has not made it, whoever tells it there', async () => {
    const other = await asked(newAccount(), 'agent');
    const { hash } = await robbed();
    await other.claim(hash);
    await other.until({ effect: 'unknown', reasonCode: 'HASH_USED' });
    expect((await other.get()).reasonDetail).toBeUndefined();
    await sayNotSigned(other);
    await other.until({ effect: 'none', reasonCode: 'NOT_SIGNED' });
  });

  it('review:E1 nor when the page that paid was never heard of again', async () => {
    const { payer } = await robbed();
    await sayNotSigned(payer);
    await payer.stays({ effect: 'unknown' });
  });

  it('review:C4 nor when it was signed late, and the other request was looked at first', async () => {
    const account = newAccount();
    const payer = await asked(account, 'agent');
    await payer.post(notSigned);
    await payer.post({ status: 'cancelled' });
    world.clock.now += 11 * MINUTE;
    chain.advance(1);
    await payer.until({ status: 'cancelled', effect: 'none' });
    expect(await payer.get()).toMatchObject({ receipt: { no: 1 } });
    const thief = await asked(account, 'mallory');
    mined(pay(account));
    const { id } = await thief.get();
    for (let look = 0; look < 3; look++) await world.lookAt(id);
    expect(await thief.get()).toMatchObject({ effect: 'done' });
    const counted = { effect: 'unknown', reasonCode: 'HASH_USED', reasonDetail: 'of_another_creator' };
    await payer.until(counted);
    expect((await payer.get()).receipt.no).toBeGreaterThan(1);
    await sayNotSigned(payer);
    await payer.stays({ effect: 'unknown' });
  });

  it('review:E1 of two requests of one agent, one payment is one: the other was not paid', async () => {
    const account = newAccount();
    const paid = await asked(account, 'agent');
    const other = await asked(account, 'agent');
    const hash = pay(account);
    await paid.claim(hash);
    mined(hash);
    await paid.until({ effect: 'done' });
    await sayNotSigned(other);
    await other.until({ effect: 'none', reasonCode: 'NOT_SIGNED' });
  });

  it.each([
    ['before it is mined', false],
    ['after it was', true],
  ])(
    'review:S2 is found by the server, though another told its hash for something else %s',
    async (_, late) => {
      const account = newAccount();
      const payer = await asked(account, 'agent');
      const thief = late ? undefined : await asked(account, 'mallory', 8n);
      const hash = pay(account);
      if (late) mined(hash);
      await (thief ?? (await asked(account, 'mallory', 8n))).claim(hash);
      if (!late) mined(hash);
      await payer.until({ status: 'completed', effect: 'done', claim: { source: 'nonce', carrier: hash } });
      expect((await payer.get()).steps[0].claims).toHaveLength(1);
    },
  );

  it('review:C4 was sent before the wallet was asked here: it is another request’s, or older, and there is a way on', async () => {
    const account = newAccount();
    const first = await asked(account, 'agent');
    const [second, third] = await Promise.all(
      [7n, 7n].map((value) => world.request(account, [{ to: TO, value }])),
    );
    const [used, free] = [pay(account), pay(account)];
    await first.claim(used);
    mined(used);
    mined(free);
    await first.until({ effect: 'done' });
    for (const [request, hash, reasonCode] of [
      [second, used, 'HASH_USED'],
      [third, free, 'TOO_OLD'],
    ] as const) {
      await request?.ask();
      await request?.claim(hash);
      await request?.until({ effect: 'unknown', reasonCode });
      expect(await request?.post(notSigned)).toMatchObject({ asks: [{ standing: 'quiet' }] });
    }
  });
});

/** `none` is never said after paying (review:1.3, review:2.2): whatever was claimed, the server goes on looking. */
import { afterAll, describe, expect, it } from 'vitest';
import { openWatched, type Wire } from '../chain/support/asked.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';

const CHAIN = 1879;
const TO = hex(0xb0b, 40);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const chain = new FakeChain(CHAIN);
const world = await openWatched(CHAIN, { chains: readerOf(chain) });
afterAll(() => world.close());
let accounts = 0xa000;
let hashes = 0;

const newAccount = () => hex(++accounts, 40);
/** A hash that no node has ever seen. */
const junk = () => hex(0xdead_0000 + ++hashes);
const send = (from: string, value: bigint, more: object = {}) => chain.send({ from, to: TO, value, ...more });

function mined(hash: ReturnType<typeof send>, status: 'success' | 'reverted' = 'success') {
  chain.mine(hash, status);
  chain.advance(10);
  return hash;
}

async function asked(account: string, values: readonly bigint[] = [7n], stepIds = ['s0']) {
  const request = await world.request(
    account,
    values.map((value) => ({ to: TO, value })),
  );
  await request.ask(...stepIds);
  const [{ id }] = (await request.get()).asks;
  return { ...request, askId: id as string };
}
type Request = Awaited<ReturnType<typeof asked>>;

const notSigned = { status: 'failed', stepId: 's0', stepStatus: 'failed', answer: 'said_not_signed' };
const standings = async ({ get }: Request) => (await get()).asks?.map(({ standing }: Wire) => standing) ?? [];
const refusal = (posted: Promise<unknown>) =>
  posted.then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('what was claimed and came to nothing', () => {
  it('review:C3 a transaction that failed and was something else answers nothing: the payment is found', async () => {
    const account = newAccount();
    const request = await asked(account);
    const other = mined(send(account, 8n), 'reverted');
    await request.claim(other);
    await request.until({ effect: 'unknown', reasonCode: 'MISMATCHED', reasonDetail: 'value_differs' });
    expect(await standings(request)).toEqual(['unclear']);
    const hash = mined(send(account, 7n));
    await request.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:C3 and with nobody paying, "I did not sign" is believed after the quiet time alone', async () => {
    const account = newAccount();
    const request = await asked(account);
    await request.claim(mined(send(account, 8n), 'reverted'));
    await request.until({ reasonCode: 'MISMATCHED' });
    await request.post(notSigned);
    await request.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
    world.clock.now += 11 * MINUTE;
    await request.until({ effect: 'none', reasonCode: 'NOT_SIGNED' });
  });

  it('review:row-23 nor does one that was replaced, if it was never what was asked', async () => {
    const account = newAccount();
    const request = await asked(account);
    const other = send(account, 8n);
    await request.claim(other);
    await request.until({ effect: 'unknown', reasonCode: 'MISMATCHED' });
    const cancelled = chain.send({ from: account, to: account, nonce: 0 });
    mined(cancelled);
    await request.until({ effect: 'unknown', reasonCode: 'MISMATCHED', reasonDetail: 'value_differs' });
    expect(await standings(request)).toEqual(['unclear']);
    const hash = mined(send(account, 7n));
    await request.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:row-17 after a revert of the asked call, one that is sent again is found, also when it was cancelled', async () => {
    const account = newAccount();
    const request = await asked(account);
    await request.claim(mined(send(account, 7n), 'reverted'));
    await request.until({ status: 'failed', effect: 'none', reasonCode: 'REVERTED' });
    // It fails again, which is no news.
    mined(send(account, 7n), 'reverted');
    await request.stays({ effect: 'none', claims: [{ reasonCode: 'REVERTED' }] });
    await request.post({ status: 'cancelled' });
    expect(await request.get()).toMatchObject({ status: 'cancelled', effect: 'none' });
    const hash = mined(send(account, 7n));
    await request.until({ status: 'completed', effect: 'done', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:row-17 after it was replaced, one that is sent later is found', async () => {
    const account = newAccount();
    const request = await asked(account);
    const first = send(account, 7n);
    await request.claim(first);
    await request.until({ claim: { verification: 'pending' } });
    mined(chain.send({ from: account, to: account, nonce: 0 }));
    await request.until({ effect: 'none', reasonCode: 'REPLACED' });
    const hash = mined(send(account, 7n));
    await request.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:C4 what is paid then is for the request that waits, not for the older one that failed', async () => {
    const account = newAccount();
    const failed = await asked(account);
    await failed.claim(mined(send(account, 7n), 'reverted'));
    await failed.until({ effect: 'none', reasonCode: 'REVERTED' });
    world.clock.now += 1_000;
    const waiting = await asked(account);
    await waiting.stays({ effect: 'unknown' });
    const hash = mined(send(account, 7n));
    await waiting.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
    await failed.stays({ effect: 'none', reasonCode: 'REVERTED' });
  });
});

describe('accounts whose payments need not show', () => {
  it.each([
    ['a contract', (account: string) => void chain.contracts.set(account, { owner: account })],
    ['an account that runs the code of others', (account: string) => void chain.delegates.add(account)],
  ])('review:E1 a quiet time proves nothing for %s', async (_what, make) => {
    const account = newAccount();
    make(account);
    const request = await asked(account);
    await request.post(notSigned);
    world.clock.now += 11 * MINUTE;
    chain.advance(10);
    await request.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
    world.clock.now += 3 * DAY;
    expect(await request.get()).toMatchObject({ effect: 'unknown', closed: true });
  });
});

describe('an ask for several steps', () => {
  it('review:A3 waits until each of them has its claim', async () => {
    const account = newAccount();
    const request = await asked(account, [7n, 8n], ['s0', 's1']);
    const [one, two] = [mined(send(account, 7n)), mined(send(account, 8n))];
    await request.post({ status: 'tx_submitted', stepId: 's0', txHash: one, askId: request.askId });
    expect(await standings(request)).toEqual(['open']);
    await request.until({ status: 'completed', effect: 'done' });
    expect((await request.get()).steps[1].claims).toMatchObject([{ source: 'nonce', carrier: two }]);
  });

  it('review:A3 of two equal steps each gets its own transaction, though nobody told', async () => {
    const account = newAccount();
    const request = await asked(account, [7n, 7n], ['s0', 's1']);
    const paid = [mined(send(account, 7n)), mined(send(account, 7n))];
    await request.until({ status: 'completed', effect: 'done' });
    const { steps } = await request.get();
    expect(steps.map(({ claims }: Wire) => claims.map(({ carrier }: Wire) => carrier))).toEqual(
      paid.map((hash) => [hash]),
    );
  });

  it('review:E1 is not signed when that is so of every step, and partly done else', async () => {
    const account = newAccount();
    const request = await asked(account, [7n, 8n], ['s0', 's1']);
    mined(send(account, 7n));
    await request.until({ claim: { source: 'nonce', verification: 'matched' } });
    expect(await request.get()).toMatchObject({
      effect: 'unknown',
      steps: [{ effect: 'done' }, { effect: 'unknown' }],
    });
    await request.post({ ...notSigned, askId: request.askId });
    world.clock.now += 11 * MINUTE;
    await request.until({ effect: 'partial' });
  });
});

describe('a hash that no node has seen', () => {
  it('review:S2 does not end the search: what was paid is a second claim', async () => {
    const account = newAccount();
    const request = await asked(account);
    await request.claim(junk());
    await request.stays({ effect: 'unknown' });
    const hash = mined(send(account, 7n));
    await request.until({ status: 'completed', effect: 'done', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:S2 nor does the payment of a stranger', async () => {
    const account = newAccount();
    const request = await asked(account);
    await request.claim(mined(send(newAccount(), 7n)));
    await request.until({ effect: 'unknown', reasonCode: 'SENDER_UNBOUND' });
    const hash = mined(send(account, 7n));
    await request.until({ status: 'completed', effect: 'done', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:C5 sixteen of them do not shut out what the server finds by itself', async () => {
    const account = newAccount();
    const request = await asked(account);
    for (let i = 0; i < 16; i++) await request.claim(junk());
    expect(await refusal(request.claim(junk()))).toMatch(/LIMIT/);
    const hash = mined(send(account, 7n));
    await request.until({ status: 'completed', effect: 'done', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:C9 can be taken back after ten minutes: "I did not sign" sets it aside, and the quiet time begins', async () => {
    const account = newAccount();
    const request = await asked(account);
    await request.claim(junk());
    await request.until({ claim: { verification: 'pending' } });
    const said = { ...notSigned, askId: request.askId };
    expect(await refusal(request.post(said))).toMatch(/answered before: claimed/);
    world.clock.now += 11 * MINUTE;
    await request.until({ effect: 'unknown', reasonCode: 'NOT_SEEN', claim: { reasonCode: 'NOT_SEEN' } });
    expect(await refusal(request.post({ status: 'cancelled' }))).toMatch(/which the network has not shown/);
    expect(await request.post(said)).toMatchObject({ effect: 'unknown', asks: [{ standing: 'quiet' }] });
    expect(await request.post({ status: 'cancelled' })).toMatchObject({
      effect: 'unknown',
      closing: { by: 'holder' },
    });
    world.clock.now += 11 * MINUTE;
    chain.advance(1);
    await request.until({ status: 'cancelled', effect: 'none' });
  });

  it('review:C9 also beside another one that was set aside, and by a page that names no ask', async () => {
    const account = newAccount();
    const old = mined(send(account, 7n));
    const request = await asked(account);
    await request.claim(junk());
    await request.claim(old);
    await request.until({ claim: { reasonCode: 'TOO_OLD' } });
    world.clock.now += 11 * MINUTE;
    await request.until({ claims: [{ reasonCode: 'NOT_SEEN' }, { reasonCode: 'TOO_OLD' }] });
    expect(await request.post(notSigned)).toMatchObject({ effect: 'unknown', asks: [{ standing: 'quiet' }] });
    world.clock.now += 11 * MINUTE;
    chain.advance(1);
    await request.until({ effect: 'none' });
  });

  it('review:C9 and counts again when it turns up after all', async () => {
    const account = newAccount();
    const request = await asked(account);
    const hash = send(account, 7n);
    chain.hidden.add(hash);
    await request.claim(hash);
    world.clock.now += 11 * MINUTE;
    await request.until({ reasonCode: 'NOT_SEEN' });
    await request.post({ ...notSigned, askId: request.askId });
    chain.hidden.delete(hash);
    mined(hash);
    await request.until({ status: 'completed', effect: 'done', claim: { source: 'nonce', carrier: hash } });
  });
});

describe('a hash that serves another request', () => {
  it('review:E1 "I did not sign" after it is believed no sooner than any other time', async () => {
    const account = newAccount();
    const first = await asked(account);
    const hash = mined(send(account, 7n));
    await first.until({ status: 'completed' });
    chain.advance(1);
    const second = await asked(account);
    await second.claim(hash);
    await second.until({ effect: 'unknown', reasonCode: 'TOO_OLD' });
    world.clock.now += 1_000;
    const third = await asked(account);
    const own = send(account, 7n);
    await second.claim(own);
    await third.claim(own);
    mined(own);
    await second.until({ status: 'completed' });
    await third.until({ effect: 'unknown', reasonCode: 'HASH_USED' });
    await third.post(notSigned);
    await third.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
    world.clock.now += 11 * MINUTE;
    await third.until({ effect: 'none', reasonCode: 'NOT_SIGNED' });
  });
});

describe('a page that makes no asks', () => {
  async function toldOf(hash: string, account: string) {
    const request = await world.request(account, [{ to: TO, value: 7n }]);
    await request.post({ status: 'wallet_connected', account });
    await request.post({ status: 'tx_submitted', stepId: 's0', txHash: hash });
    return request;
  }

  it('review:C3 has told that a wallet was asked, also when what it told is used', async () => {
    const account = newAccount();
    const first = await asked(account);
    const hash = mined(send(account, 7n));
    await first.until({ status: 'completed' });
    const second = await toldOf(hash, account);
    await second.until({ effect: 'unknown', claim: { verification: 'mismatched' } });
    await second.stays({ effect: 'unknown' });
    expect(await second.post(notSigned)).toMatchObject({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
    world.clock.now += 3 * DAY;
    expect(await second.get()).toMatchObject({ effect: 'unknown', closed: true });
  });

  it('review:C4 or older than the request', async () => {
    const account = newAccount();
    const hash = mined(send(account, 7n));
    const request = await toldOf(hash, account);
    await request.until({ effect: 'unknown', reasonCode: 'TOO_OLD' });
    expect((await request.get()).asks).toMatchObject([{ standing: 'unclear', stepIds: ['s0'], account }]);
  });
});

describe('a request that was made while the chain could not be read', () => {
  async function madeBlind(account: string) {
    chain.down = true;
    const request = await world.request(account, [{ to: TO, value: 7n }]);
    chain.down = false;
    await request.ask();
    return request;
  }

  it('review:C4 the head of its ask says what is older, though clocks differ a little', async () => {
    const account = newAccount();
    chain.timeOf = () => world.clock.now - 60_000;
    const old = mined(send(account, 7n));
    const request = await madeBlind(account);
    await request.claim(old);
    await request.until({ effect: 'unknown', reasonCode: 'TOO_OLD' });
    const hash = mined(send(account, 7n));
    await request.claim(hash);
    await request.until({ status: 'completed', claim: { carrier: hash } });
  });
});

describe('a prompt that somebody said was not signed', () => {
  it('review:2.2 is looked for closely for an hour, then every five minutes', async () => {
    const account = newAccount();
    const request = await asked(account);
    const { id } = await request.post(notSigned);
    const look = async (minutes: number) => {
      world.clock.now += minutes * MINUTE;
      return (await world.lookAt(String(id))).calmMs;
    };
    expect(await look(1)).toBeUndefined();
    world.clock.now += 10 * MINUTE;
    chain.advance(1);
    await request.until({ effect: 'none' });
    expect([await look(1), await look(40), await look(10)]).toEqual([45_000, 45_000, 300_000]);
  });
});

describe('a hash that no node has seen', () => {
  it('review:Y1 is told as such from the first look on, and a cancel does not call it sent', async () => {
    const request = await asked(newAccount());
    const hash = junk();
    await request.claim(hash);
    await request.until({ effect: 'unknown', claim: { value: hash, reasonDetail: 'not_found' } });
    const unseen = 'a hash was told for it which the network has not shown';
    expect(await refusal(request.post({ status: 'cancelled' }))).toContain(unseen);
    expect((await request.get()).closing).toBeUndefined();
  });

  it('review:row-12 a cancel says that it was sent, once the network has shown it', async () => {
    const account = newAccount();
    const request = await asked(account);
    await request.claim(send(account, 7n));
    await request.until({ claim: { verification: 'pending' } });
    expect(await refusal(request.post({ status: 'cancelled' }))).toContain('it was sent already');
  });
});

/** A node that has stopped shows the past: nothing is concluded from what it does not show (review:C4, review:E1). */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openWatched } from '../chain/support/asked.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openRequests } from './support/watched-requests.js';

const CHAIN = 1879;
const TO = hex(0xb0b, 40);
const MINUTE = 60_000;
const chain = new FakeChain(CHAIN);
const world = await openWatched(CHAIN, { chains: readerOf(chain) });
const sessions = await openRequests(CHAIN, readerOf(chain));
afterAll(async () => {
  await world.close();
  await sessions.close();
});
beforeEach(() => {
  chain.nextSession = '18';
  chain.timeOf = () => world.clock.now;
});
let accounts = 0xc000;
const newAccount = () => hex(++accounts, 40);

async function asked(account: string) {
  const request = await world.request(account, [{ to: TO, value: 7n }]);
  await request.ask();
  return request;
}
const notSigned = { status: 'failed', stepId: 's0', stepStatus: 'failed', answer: 'said_not_signed' };
const unknown = { effect: 'unknown', reasonCode: 'NOT_SIGNED' };
const none = { effect: 'none', reasonCode: 'NOT_SIGNED' };

describe('review:E1 a quiet time', () => {
  it('review:E1 does not end while the head is the one that was known when the wallet was asked', async () => {
    const request = await asked(newAccount());
    await request.post(notSigned);
    world.clock.now += 11 * MINUTE;
    await request.stays(unknown);
    chain.advance(1);
    await request.until(none);
  });

  it('review:E1 nor by a head that is older than its end, or of unknown time', async () => {
    const request = await asked(newAccount());
    const { now } = world.clock;
    chain.timeOf = () => now + 5 * MINUTE;
    chain.advance(1);
    await request.post(notSigned);
    world.clock.now += 11 * MINUTE;
    await request.stays(unknown);
    chain.timeOf = () => null;
    await request.stays(unknown);
    // Clocks differ a little.
    chain.timeOf = () => now + 9 * MINUTE;
    await request.until(none);
  });

  it('review:E1 and what such a node did not show is found when it goes on', async () => {
    const account = newAccount();
    const request = await asked(account);
    await request.post(notSigned);
    world.clock.now += 11 * MINUTE;
    await request.stays(unknown);
    const hash = chain.send({ from: account, to: TO, value: 7n });
    chain.mine(hash);
    chain.advance(10);
    await request.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
  });
});

it('review:row-29 a session came to nothing only by a node that has moved on since the permit ended', async () => {
  const owner = newAccount();
  const made = await sessions.session('alice');
  const { now } = sessions.clock;
  const permitExpiry = Math.floor((now + MINUTE) / 1_000);
  await made.ask(owner, { sessionId: '18', owner, permitExpiry });
  chain.timeOf = () => sessions.clock.now;
  sessions.clock.now += 30 * MINUTE;
  await made.stays({ effect: 'unknown' });
  chain.timeOf = () => now + 15 * MINUTE;
  chain.advance(1);
  await made.stays({ effect: 'unknown' });
  chain.timeOf = () => sessions.clock.now;
  await made.until({ effect: 'none', basis: ['chain'] });
});

describe('review:C4 a node that had stopped when the request was made', () => {
  it('review:C4 goes on: a payment whose time is before the request is too old, though its block was not known', async () => {
    const account = newAccount();
    const request = await asked(account);
    const { now } = world.clock;
    chain.timeOf = () => now - 10 * MINUTE;
    const hash = chain.send({ from: account, to: TO, value: 7n });
    chain.mine(hash);
    chain.advance(10);
    await request.until({ effect: 'unknown', reasonCode: 'TOO_OLD', claim: { value: hash } });
    await request.stays({ effect: 'unknown', reasonCode: 'TOO_OLD' });
  });

  it.each([
    ['by the little that clocks differ', (now: number) => now - MINUTE],
    ['of unknown time', () => null],
  ])('review:C4 one that is older %s counts as its block says', async (_what, timeOf) => {
    const account = newAccount();
    const request = await asked(account);
    const { now } = world.clock;
    chain.timeOf = () => timeOf(now);
    const hash = chain.send({ from: account, to: TO, value: 7n });
    chain.mine(hash);
    chain.advance(10);
    await request.until({ status: 'completed', effect: 'done', claim: { carrier: hash } });
  });

  it('review:C4 nor does a later request get it from one that it fits, though it told of it first', async () => {
    const account = newAccount();
    const payer = await asked(account);
    const paidAt = world.clock.now + MINUTE;
    world.clock.now += 30 * MINUTE;
    const later = await asked(account);
    chain.timeOf = () => paidAt;
    const hash = chain.send({ from: account, to: TO, value: 7n });
    await later.claim(hash);
    world.clock.now += 1_000;
    await payer.claim(hash);
    chain.mine(hash);
    chain.advance(10);
    await payer.until({ status: 'completed', effect: 'done', claim: { carrier: hash } });
    await later.until({ effect: 'unknown', reasonCode: 'TOO_OLD', claim: { value: hash } });
  });

  it('review:C4 nor does a later request that waits keep it from one that was given up', async () => {
    const account = newAccount();
    const payer = await asked(account);
    await payer.post(notSigned);
    world.clock.now += 11 * MINUTE;
    chain.advance(1);
    await payer.until(none);
    const paidAt = world.clock.now + MINUTE;
    world.clock.now += 30 * MINUTE;
    const later = await asked(account);
    chain.timeOf = () => paidAt;
    const hash = chain.send({ from: account, to: TO, value: 7n });
    chain.mine(hash);
    chain.advance(10);
    await payer.until({ effect: 'done', claim: { source: 'nonce', carrier: hash } });
    await later.stays({ effect: 'unknown' });
  });
});

describe('review:E1 of several nodes behind one RPC', () => {
  it('review:E1 one that has not seen the block of a payment does not make nothing of it', async () => {
    const account = newAccount();
    const request = await asked(account);
    const hash = chain.send({ from: account, to: TO, value: 7n });
    chain.mine(hash);
    chain.advance(10);
    chain.behind = 11;
    await request.post(notSigned);
    world.clock.now += 11 * MINUTE;
    await request.stays(unknown);
    chain.behind = 0;
    await request.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:E1 one that knows of fewer than are in blocks is not asked what waits', async () => {
    const account = newAccount();
    const request = await asked(account);
    chain.mine(chain.send({ from: account, to: TO, value: 8n }));
    chain.advance(10);
    await request.post(notSigned);
    world.clock.now += 11 * MINUTE;
    const count = chain.nonce.bind(chain);
    chain.nonce = async (of, at) => (at === 'pending' ? 0 : count(of, at));
    await request.stays(unknown);
    chain.nonce = count;
    await request.until(none);
  });

  it('review:S5 what waited where no node could see it reads as not signed up to a block, and is found when it is mined', async () => {
    const account = newAccount();
    const request = await asked(account);
    const hash = chain.send({ from: account, to: TO, value: 7n });
    chain.hidden.add(hash);
    await request.post(notSigned);
    world.clock.now += 11 * MINUTE;
    chain.advance(1);
    await request.until(none);
    expect((await request.get()).reasonBlock).toBe(await chain.blockNumber());
    chain.hidden.delete(hash);
    chain.mine(hash);
    chain.advance(10);
    await request.until({ status: 'completed', effect: 'done', claim: { source: 'nonce', carrier: hash } });
  });
});

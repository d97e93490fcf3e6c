/**
 * Anybody can say that a wallet was asked for somebody's next session, and can guess its number. A guess takes no session from the page
 * that tells of it, and whoever loses one is never told that nothing was started (review:C6).
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openRequests } from './support/watched-requests.js';

const CHAIN = 1879;
const MINUTE = 60_000;
const chain = new FakeChain(CHAIN);
const world = await openRequests(CHAIN, readerOf(chain));
chain.timeOf = () => world.clock.now;
afterAll(() => world.close());

let owners = 0x6000;
const newOwner = () => hex(++owners, 40);
const runs = (owner: string) => chain.alive.add(`${owner}/18`);
const values = (owner: string) => ({
  sessionId: '18',
  owner,
  permitExpiry: Math.floor((world.clock.now + 5 * MINUTE) / 1_000),
});
const lost = { effect: 'unknown', reasonCode: 'HASH_USED', reasonDetail: 'of_another_creator' };

/** The node gives the next number, knows the session no more, and the permit has run out. */
function forgets(owner: string) {
  chain.alive.delete(`${owner}/18`);
  chain.nextSession = '19';
  world.clock.now += 40 * MINUTE;
  chain.advance(5);
}

beforeEach(() => {
  chain.nextSession = '18';
});

type Made = Awaited<ReturnType<typeof world.session>>;

async function asked(agent: string, owner: string, over: { readonly expectedSigner?: string } = {}) {
  const made = await world.session(agent, over);
  await made.ask(owner, values(owner));
  return made;
}

/** Told, and looked at, before there is such a session. */
async function guessed(owner: string, over: { readonly expectedSigner?: string } = {}): Promise<Made> {
  const made = await asked('carol', owner, over);
  await made.started(owner, '18');
  await made.until({ steps: [{ claims: [{ value: '18', reasonDetail: 'not_started' }] }] });
  world.clock.now += 1_000;
  return made;
}

describe('a number that was told before the session was there', () => {
  it.each([
    ['names its owner', true],
    ['names nobody', false],
  ])('review:C6 is a guess, also when its request %s: who tells of the session has it', async (_, named) => {
    const owner = newOwner();
    const thief = await guessed(owner, named ? { expectedSigner: owner } : {});
    const payer = await asked('alice', owner);
    await world.followed();
    runs(owner);
    // Nobody has told of it yet, and a wallet is asked for it.
    await thief.stays({ effect: 'unknown' });
    await payer.started(owner, '18');
    await payer.until({ effect: 'done' });
    await thief.until(lost);
  });

  it('review:C6 counts when no other wallet is asked: its page may be ahead of the node', async () => {
    const owner = newOwner();
    const made = await guessed(owner);
    runs(owner);
    await made.until({ effect: 'done' });
  });

  it('review:C6 of several the last one counts', async () => {
    const owner = newOwner();
    const thief = await guessed(owner, { expectedSigner: owner });
    const payer = await asked('alice', owner);
    await payer.started(owner, '18');
    await payer.until({ steps: [{ claims: [{ reasonDetail: 'not_started' }] }] });
    await world.followed();
    runs(owner);
    await payer.until({ effect: 'done' });
    await thief.until(lost);
  });
});

describe('whoever loses a session', () => {
  it('review:C6 is never told that nothing was started, though its page told later', async () => {
    const owner = newOwner();
    const payer = await asked('alice', owner);
    const thief = await asked('carol', owner);
    await world.followed();
    runs(owner);
    await thief.started(owner, '18');
    await thief.until({ effect: 'done' });
    await payer.started(owner, '18');
    await payer.until(lost);
    forgets(owner);
    await payer.stays(lost);
    const denied = { refused: { code: 'CONFLICT' } };
    expect(await payer.progress({ stepStatus: 'failed', answer: 'refused' })).toMatchObject(denied);
    await payer.progress({ stepStatus: 'failed', answer: 'said_not_signed' });
    world.clock.now += 40 * MINUTE;
    chain.advance(5);
    await payer.stays({ effect: 'unknown' });
  });

  it('review:row-29 nor when its page never told, whatever number the node names', async () => {
    const owner = newOwner();
    const payer = await asked('alice', owner);
    const thief = await asked('carol', owner);
    await world.followed();
    runs(owner);
    await thief.started(owner, '18');
    await thief.until({ effect: 'done' });
    forgets(owner);
    chain.nextSession = '18';
    await payer.stays({ effect: 'unknown' });
  });

  it('review:row-29 nor when the number was given, and the node has forgotten what for', async () => {
    const owner = newOwner();
    const payer = await asked('alice', owner);
    forgets(owner);
    await payer.stays({ effect: 'unknown' });
    // Else it is.
    const other = newOwner();
    chain.nextSession = '18';
    const unsigned = await asked('alice', other);
    world.clock.now += 40 * MINUTE;
    chain.advance(5);
    await unsigned.until({ effect: 'none', basis: ['chain'] });
    // What starts after all, and serves somebody else, is recorded.
    const thief = await asked('carol', other);
    await world.followed();
    runs(other);
    await thief.started(other, '18');
    await thief.until({ effect: 'done' });
    await unsigned.until(lost);
  });
});

it('review:C6 who only says that a wallet was asked holds nobody up for longer than a permit is good', async () => {
  const owner = newOwner();
  const silent = await asked('carol', owner, { expectedSigner: owner });
  const payer = await asked('alice', owner);
  await world.followed();
  runs(owner);
  await payer.started(owner, '18');
  const waits = { effect: 'unknown', reasonCode: 'UNVERIFIED', reasonDetail: 'asked_elsewhere' };
  await payer.until(waits);
  world.clock.now += 20 * MINUTE;
  await payer.stays(waits);
  world.clock.now += 3 * MINUTE;
  await payer.until({ effect: 'done' });
  await silent.stays({ effect: 'unknown' });
});

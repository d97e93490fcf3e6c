/** A session settles a step only if its owner was asked, it is new, and it serves no other step (review:C3, review:C4). */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { S1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openRequests } from './support/watched-requests.js';

const CHAIN = 1879;
const STRANGER = hex(0x7777, 40);
const MINUTE = 60_000;
const chain = new FakeChain(CHAIN);
const world = await openRequests(CHAIN, readerOf(chain));
afterAll(() => world.close());

let owners = 0x5000;
const newOwner = () => hex(++owners, 40);
const runs = (owner: string, sessionId: string) => chain.alive.add(`${owner}/${sessionId}`);
const inSeconds = (ms: number) => Math.floor((world.clock.now + ms) / 1_000);

beforeEach(() => {
  chain.nextSession = '18';
  chain.down = false;
});

const unbound = { effect: 'unknown', reasonCode: 'SENDER_UNBOUND', steps: [{ effect: 'unknown' }] };

describe('whose session it is', () => {
  it('review:C4 without an ask and without an expected signer, nobody’s session completes a request', async () => {
    const made = await world.session('alice');
    runs(STRANGER, '18');
    await made.started(STRANGER, '18');
    await made.until(unbound);
    await made.stays({ ...unbound, status: 'pending_import' });
  });

  it('review:C4 where a signer is expected, a stranger’s session is not the one, told or as a result', async () => {
    const signer = newOwner();
    runs(STRANGER, '19');
    const told = await world.session('alice', { expectedSigner: signer });
    await told.started(STRANGER, '19');
    await told.until(unbound);
    const result = await world.session('bob', { expectedSigner: signer });
    await result.result(STRANGER, '19');
    await result.until({ verification: 'mismatched', effect: 'unknown', reasonCode: 'MISMATCHED' });
    await result.stays({ effect: 'unknown', status: 'pending_import' });
  });

  it('review:C4 an ask binds its account alone', async () => {
    const owner = newOwner();
    const made = await world.session('alice');
    await made.ask(owner);
    runs(STRANGER, '20');
    await made.started(STRANGER, '20');
    await made.until(unbound);
    runs(owner, '21');
    await made.started(owner, '21');
    await made.until({ effect: 'done', steps: [{ status: 'confirmed', claims: [{}, { boundBy: 'ask' }] }] });
  });

  it('review:C4 a result without progress is judged as if it had been told of the steps', async () => {
    const signer = newOwner();
    const made = await world.session('alice', { expectedSigner: signer });
    await made.result(signer, '18');
    await made.until({ verification: 'pending', effect: 'unknown' });
    runs(signer, '18');
    await made.until({
      status: 'completed',
      effect: 'done',
      steps: [{ claims: [{ value: '18', boundBy: 'expected_signer' }] }],
    });
    const unasked = await world.session('alice');
    runs(STRANGER, '22');
    await unasked.result(STRANGER, '22');
    await unasked.until({ ...unbound, verification: 'pending' });
  });
});

describe('how old it is', () => {
  it('review:C4 a session that was there before the wallet was asked is too old', async () => {
    const owner = newOwner();
    runs(owner, '17');
    const made = await world.session('alice');
    await made.ask(owner);
    await made.started(owner, '17');
    await made.until({ effect: 'unknown', reasonCode: 'TOO_OLD', steps: [{ status: 'requested' }] });
    await made.stays({ effect: 'unknown', status: 'pending_import' });
  });

  it('review:C4 of the expected signer: one that was there before the request is too old, a later one is not', async () => {
    const signer = newOwner();
    runs(signer, '17');
    runs(signer, '18');
    const old = await world.session('alice', { expectedSigner: signer });
    await old.result(signer, '17');
    await old.until({ effect: 'unknown', reasonCode: 'TOO_OLD', verification: 'mismatched' });
    const fresh = await world.session('bob', { expectedSigner: signer });
    await fresh.started(signer, '18');
    await fresh.until({ effect: 'done' });
  });

  it('review:C4 where the node did not say which sessions there were, nothing is taken for new', async () => {
    const owner = newOwner();
    const made = await world.session('alice');
    chain.down = true;
    await made.ask(owner);
    chain.down = false;
    runs(owner, '18');
    await made.started(owner, '18');
    const unknown = { effect: 'unknown', reasonCode: 'UNVERIFIED', reasonDetail: 'age_unknown' };
    await made.until(unknown);
    await made.stays(unknown);
  });

  it('review:C4 except the very one that was asked for, and was not there', async () => {
    const owner = newOwner();
    chain.nextSession = null;
    const made = await world.session('alice');
    await made.ask(owner, { sessionId: '30', owner, permitExpiry: inSeconds(20 * MINUTE) });
    runs(owner, '31');
    await made.started(owner, '31');
    await made.until({ effect: 'unknown', reasonCode: 'UNVERIFIED' });
    runs(owner, '30');
    await made.started(owner, '30');
    await made.until({ effect: 'done' });
  });
});

describe('review:C3 one session serves one step', () => {
  it.each([
    ['of another agent', 'bob'],
    ['of another tenant', 'carol'],
  ])('review:C3 and not that %s, who tells it later under another spelling', async (_, other) => {
    const owner = newOwner();
    const [first, second] = [await world.session('alice'), await world.session(other)];
    for (const made of [first, second]) await made.ask(owner);
    runs(owner, '23');
    await first.started(owner, '23');
    await first.until({ effect: 'done' });
    await second.started(owner, '0023');
    await second.until({ effect: 'unknown', reasonCode: 'HASH_USED' });
    await second.stays({ effect: 'unknown', status: 'pending_import' });
  });

  it('review:C3 nor does one posted result complete the requests of two agents', async () => {
    const signer = newOwner();
    const first = await world.session('carol', { expectedSigner: signer });
    const second = await world.session('alice', { expectedSigner: signer });
    runs(signer, '24');
    await first.result(signer, '24');
    await first.until({ status: 'completed', effect: 'done' });
    await second.result(signer, '24');
    const used = { effect: 'unknown', reasonCode: 'HASH_USED', verification: 'mismatched' };
    await second.until(used);
    await second.stays({ ...used, status: 'pending_import' });
  });

  it('review:C3 nor two sessions of one queue', async () => {
    const owner = newOwner();
    const { handle: _handle, ...request } = S1();
    request.mode = 'queue';
    request.sessions.push(structuredClone(request.sessions[0]));
    const made = await world.session('alice', { request, expectedSigner: owner });
    runs(owner, '25');
    await made.started(owner, '25');
    await made.progress({ index: 1, stepStatus: 'started', owner, sessionId: '25' });
    // That it was told shows that a wallet was asked: what came of that is not known.
    await made.until({
      steps: [{ effect: 'done' }, { effect: 'unknown', claims: [{ reasonCode: 'HASH_USED' }] }],
    });
  });

  it('review:C4 of two wallets that were asked for one number, that has it whose page tells', async () => {
    const owner = newOwner();
    const [silent, telling] = [await world.session('bob'), await world.session('alice')];
    const values = { sessionId: '26', owner, permitExpiry: inSeconds(20 * MINUTE) };
    await silent.ask(owner, values);
    await telling.ask(owner, values);
    await world.followed();
    runs(owner, '26');
    await silent.stays({ effect: 'unknown' });
    await telling.started(owner, '26');
    await telling.until({ effect: 'done' });
    await silent.stays({ effect: 'unknown' });
    expect((await silent.get()).steps[0]).not.toHaveProperty('claims');
  });

  it('review:S2 the only wallet that was asked for a number need not tell', async () => {
    const owner = newOwner();
    const made = await world.session('alice');
    await made.ask(owner, { sessionId: '27', owner, permitExpiry: inSeconds(20 * MINUTE) });
    runs(owner, '27');
    await made.until({ effect: 'done', steps: [{ claims: [{ source: 'logs', boundBy: 'ask' }] }] });
  });
});

describe('review:C6 whose right to a session is better', () => {
  const used = { effect: 'unknown', reasonCode: 'HASH_USED' };
  const named = (owner: string, sessionId: string) => ({
    sessionId,
    owner,
    permitExpiry: inSeconds(20 * MINUTE),
  });

  it('review:C6 the request that names its owner goes before an older one that names nobody', async () => {
    const owner = newOwner();
    const older = await world.session('bob');
    await older.ask(owner, named(owner, '41'));
    world.clock.now += 5_000;
    const made = await world.session('alice', { expectedSigner: owner });
    await made.ask(owner, named(owner, '41'));
    await world.followed();
    chain.down = true;
    runs(owner, '41');
    await older.started(owner, '41');
    await made.started(owner, '41');
    chain.down = false;
    await world.followed();
    await made.until({ effect: 'done' });
    await older.until(used);
  });

  it('review:C6 also when its page tells later: while its wallet is asked for that number, the other waits', async () => {
    const owner = newOwner();
    const other = await world.session('bob');
    await other.ask(owner, named(owner, '42'));
    const made = await world.session('alice', { expectedSigner: owner });
    await made.ask(owner, named(owner, '42'));
    await world.followed();
    runs(owner, '42');
    await other.started(owner, '42');
    await other.stays({ effect: 'unknown' });
    await made.started(owner, '42');
    await made.until({ effect: 'done' });
    await other.until(used);
  });

  it.each([
    ['is refused', { answer: 'refused', walletCode: 4001 }],
    ['is said not to be signed', { answer: 'said_not_signed' }],
  ])('review:C6 and no longer than until that %s', async (_what, answer) => {
    const owner = newOwner();
    const other = await world.session('bob');
    await other.ask(owner, named(owner, '43'));
    const made = await world.session('alice', { expectedSigner: owner });
    await made.ask(owner, named(owner, '43'));
    await world.followed();
    runs(owner, '43');
    await other.started(owner, '43');
    await other.stays({ effect: 'unknown' });
    await made.progress({ stepStatus: 'failed', ...answer });
    await other.until({ effect: 'done' });
  });

  it('review:C6 an ask for another number makes nobody wait', async () => {
    const owner = newOwner();
    const other = await world.session('bob');
    await other.ask(owner, named(owner, '44'));
    const made = await world.session('alice', { expectedSigner: owner });
    await made.ask(owner, named(owner, '45'));
    await world.followed();
    runs(owner, '44');
    await other.started(owner, '44');
    await other.until({ effect: 'done' });
  });

  it('review:C6 of two that name the same, that has it whose page told first, whichever is looked at first', async () => {
    const owner = newOwner();
    const [older, first] = [await world.session('bob'), await world.session('alice')];
    await older.ask(owner, named(owner, '46'));
    await first.ask(owner, named(owner, '46'));
    await world.followed();
    chain.down = true;
    runs(owner, '46');
    await first.started(owner, '46');
    world.clock.now += 1_000;
    await older.started(owner, '46');
    chain.down = false;
    await world.followed();
    await first.until({ effect: 'done' });
    await older.until(used);
  });

  it('review:C6 whoever can have no right to it makes nobody wait', async () => {
    const owner = newOwner();
    chain.nextSession = null;
    const ageless = await world.session('bob');
    await ageless.ask(owner);
    await ageless.started(owner, '47');
    world.clock.now += 1_000;
    chain.nextSession = '47';
    const made = await world.session('alice');
    await made.ask(owner, named(owner, '47'));
    await made.started(owner, '47');
    await world.followed();
    runs(owner, '47');
    await made.until({ effect: 'done' });
  });
});

describe('what a page says before it asks', () => {
  const refused = (message: RegExp) => ({ refused: { message: expect.stringMatching(message) } });

  it('review:A2 is checked: another owner, a permit that has run out, a session that is there', async () => {
    const owner = newOwner();
    const made = await world.session('alice');
    const values = { sessionId: '18', owner, permitExpiry: inSeconds(20 * MINUTE) };
    expect(await made.ask(STRANGER, values)).toMatchObject(refused(/owner must be the account/));
    for (const permitExpiry of [0, -1, inSeconds(0)])
      expect(await made.ask(owner, { ...values, permitExpiry })).toMatchObject(refused(/in the future/));
    expect(await made.ask(owner, { ...values, permitExpiry: '9' })).toMatchObject(refused(/belong together/));
    expect(await made.ask(owner, { ...values, sessionId: '17' })).toMatchObject(refused(/there already/));
    runs(owner, '19');
    expect(await made.ask(owner, { ...values, sessionId: '19' })).toMatchObject(refused(/there already/));
    expect(await made.get()).toMatchObject({ effect: 'none', steps: [{ status: 'pending' }] });
    expect(await made.ask(owner, values)).toMatchObject({ effect: 'unknown' });
  });

  it('review:A2 a permit ends when the request says', async () => {
    const { handle: _handle, ...request } = S1();
    const expiry = inSeconds(90 * MINUTE);
    request.sessions[0].expiry = expiry;
    const owner = newOwner();
    const made = await world.session('alice', { request });
    const values = { sessionId: '18', owner, permitExpiry: inSeconds(MINUTE) };
    expect(await made.ask(owner, values)).toMatchObject(refused(new RegExp(`must be ${expiry}`)));
    expect(await made.ask(owner, { ...values, permitExpiry: expiry })).toMatchObject({ effect: 'unknown' });
  });

  it('review:1.4 row 29: nothing was started only when the permit has run out and the number was the node’s own', async () => {
    const owner = newOwner();
    const made = await world.session('alice');
    await made.ask(owner, { sessionId: '18', owner, permitExpiry: inSeconds(MINUTE) });
    world.clock.now += 10 * MINUTE;
    await made.stays({ effect: 'unknown' });
    world.clock.now += 13 * MINUTE;
    chain.advance(1);
    await made.until({ effect: 'none', basis: ['chain'], steps: [{ status: 'failed' }] });
    // Whatever was said of the permit: what starts later is found.
    runs(owner, '18');
    await made.until({ effect: 'done' });
  });

  it('review:1.4 row 29: a false number proves nothing', async () => {
    const owner = newOwner();
    const made = await world.session('alice');
    await made.ask(owner, { sessionId: '555', owner, permitExpiry: inSeconds(MINUTE) });
    world.clock.now += 30 * MINUTE;
    await made.stays({ effect: 'unknown' });
    const silent = await world.session('alice');
    chain.nextSession = null;
    await silent.ask(owner, { sessionId: '18', owner, permitExpiry: inSeconds(MINUTE) });
    world.clock.now += 30 * MINUTE;
    await silent.stays({ effect: 'unknown' });
  });

  it('review:E1 a permit is no transaction: the account’s numbers do not show that it was not signed', async () => {
    const owner = newOwner();
    const made = await world.session('alice');
    await made.ask(owner);
    await made.progress({ stepStatus: 'failed', answer: 'said_not_signed' });
    world.clock.now += 30 * MINUTE;
    await made.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
    const paid = chain.send({ from: owner, to: STRANGER });
    chain.mine(paid);
    chain.advance(5);
    await made.stays({ effect: 'unknown', reasonCode: 'NOT_SIGNED' });
  });
});

it('review:E3 a result that the chain contradicts is not nothing, and ends by time alone as not known', async () => {
  const signer = newOwner();
  const made = await world.session('alice', { expectedSigner: signer });
  await made.result(STRANGER, '18');
  await made.until({ verification: 'mismatched', effect: 'unknown', status: 'pending_import' });
  world.clock.now += 61 * MINUTE;
  await made.stays({ effect: 'unknown', late: true });
  world.clock.now += 24 * 60 * MINUTE;
  await made.until({ effect: 'unknown', closed: true });
});

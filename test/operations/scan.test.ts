/** How the server looks for what nobody told (review:2.2), counted in questions to the chain. */
import { addressWord, ENTRY_POINTS, USER_OPERATION_TOPIC } from '@handover/evm';
import { afterAll, describe, expect, it } from 'vitest';
import { openWatched } from '../chain/support/asked.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';

const CHAIN = 1879;
const TO = hex(0xb0b, 40);
const QUIET_MS = 600_001;
const chain = new FakeChain(CHAIN);
const world = await openWatched(CHAIN, { chains: readerOf(chain) });
afterAll(() => world.close());
let accounts = 0x9000;

const newAccount = () => hex(++accounts, 40);
const pay = (from: string, value: bigint) => {
  const hash = chain.send({ from, to: TO, value });
  chain.mine(hash);
  return hash;
};

async function asked(account: string, value = 7n) {
  const request = await world.request(account, [{ to: TO, value }]);
  await request.ask();
  return request;
}
type Request = Awaited<ReturnType<typeof asked>>;
const notSigned = { status: 'failed', stepId: 's0', stepStatus: 'failed', answer: 'said_not_signed' };

/** Says that nothing was signed, and lets the quiet time pass. */
async function sayNotSigned(request: Request) {
  await request.post(notSigned);
  world.clock.now += QUIET_MS;
}

async function questions(what: string, run: () => Promise<unknown>): Promise<number> {
  const before = chain.asked.length;
  await run();
  return chain.asked.slice(before).filter((one) => one === what).length;
}

describe('the numbers of an account', () => {
  it('review:S1 are all compared before anything is called not signed, however many there are', async () => {
    const account = newAccount();
    const request = await asked(account);
    for (let i = 0; i < 70; i++) pay(account, 1_000n + BigInt(i));
    const hash = pay(account, 7n);
    chain.advance(10);
    await sayNotSigned(request);
    await world.verifier.look();
    expect(await request.get()).toMatchObject({ effect: 'unknown' });
    await request.until({ status: 'completed', claim: { source: 'nonce', carrier: hash } });
  });

  it('review:E1 a transaction that the node cannot name is not taken for something else', async () => {
    const account = newAccount();
    const request = await asked(account);
    pay(account, 7n);
    chain.advance(10);
    chain.nameless.add(account);
    await sayNotSigned(request);
    await request.stays({ effect: 'unknown' });
    chain.nameless.delete(account);
    await request.until({ status: 'completed', effect: 'done' });
  });

  it('review:E1 nor is one that is not deep', async () => {
    const account = newAccount();
    const request = await asked(account);
    pay(account, 8n);
    await sayNotSigned(request);
    await request.stays({ effect: 'unknown' });
    chain.advance(10);
    await request.until({ effect: 'none', reasonCode: 'NOT_SIGNED' });
  });

  it('review:S1 are compared once: a later look goes on where the last one ended', async () => {
    const account = newAccount();
    const request = await asked(account);
    for (let i = 0; i < 20; i++) pay(account, 1_000n + BigInt(i));
    chain.advance(10);
    await request.stays({ effect: 'unknown' });
    expect(await questions('sentWith', () => world.verifier.look())).toBe(0);
    pay(account, 5_000n);
    chain.advance(10);
    expect(await questions('sentWith', () => world.verifier.look())).toBe(1);
    await request.post({ ...notSigned, answer: 'refused' });
  });
});

describe('an account with a key that runs the code of others', () => {
  it('review:S3 is not believed not to have signed: others can send for it without a trace', async () => {
    const [account, idle] = [newAccount(), newAccount()];
    for (const one of [account, idle]) chain.delegates.add(one);
    const request = await asked(account);
    const other = await asked(idle);
    const carrier = pay(newAccount(), 1n);
    const { blockNumber } = (await chain.getTransactionReceipt(carrier)) ?? { blockNumber: 0 };
    // An operation of the account, of which this node shows no calls.
    chain.lines.push({
      address: ENTRY_POINTS[0] ?? '',
      topics: [USER_OPERATION_TOPIC, hex(0x0b), addressWord(account), hex(0)],
      data: `0x${[0, 1, 0, 0].map((n) => hex(n).slice(2)).join('')}`,
      transactionHash: carrier,
      blockNumber,
    });
    chain.advance(10);
    await sayNotSigned(request);
    await other.post(notSigned);
    world.clock.now += QUIET_MS;
    await other.stays({ effect: 'unknown' });
    await request.stays({ effect: 'unknown' });
  });
});

describe('asks of others that name the same account', () => {
  it('review:C4 cost no questions to the chain when they ask for something else', async () => {
    const account = newAccount();
    for (let i = 0; i < 40; i++) {
      const junk = await asked(account, 10_000n + BigInt(i));
      await junk.post({ ...notSigned, answer: 'unclear' });
    }
    const alone = newAccount();
    const costs = async (from: string) => {
      const request = await asked(from);
      const hash = pay(from, 7n);
      chain.advance(10);
      await request.claim(hash);
      return questions('getTransaction', () => request.until({ status: 'completed' }));
    };
    // The junk is looked at too, each by itself: it compares the one new transaction of the account.
    const [few, many] = [await costs(alone), await costs(account)];
    expect(many).toBeLessThanOrEqual(few + 2 * 40);
  });

  it('review:C4 the ask whose page told of it gets it, not an older one that heard nothing', async () => {
    const account = newAccount();
    const silent = await asked(account);
    world.clock.now += 1_000;
    const told = await asked(account);
    const hash = pay(account, 7n);
    await told.claim(hash);
    chain.advance(10);
    await told.until({ status: 'completed', effect: 'done', claim: { carrier: hash } });
    // Its own prompt may still be signed.
    await silent.stays({ effect: 'unknown', claims: [] });
  });

  it('review:C4 of those that told of it, the first to be told gets it, for this very call', async () => {
    const account = newAccount();
    const other = await asked(account, 6n);
    world.clock.now += 1_000;
    const older = await asked(account);
    world.clock.now += 1_000;
    const newer = await asked(account);
    const hash = chain.send({ from: account, to: TO, value: 7n });
    await newer.claim(hash);
    world.clock.now += 1_000;
    await older.claim(hash);
    chain.mine(hash);
    chain.advance(10);
    await newer.until({ status: 'completed', effect: 'done', claim: { carrier: hash } });
    await older.until({ effect: 'unknown', claim: { verification: 'mismatched' } });
    await other.stays({ effect: 'unknown', claims: [] });
  });

  it('review:SENDER_UNBOUND a failure of a stranger does not end an ask', async () => {
    const account = newAccount();
    const request = await asked(account);
    const hash = chain.send({ from: newAccount(), to: TO, value: 7n });
    chain.mine(hash, 'reverted');
    chain.advance(10);
    await request.claim(hash);
    await request.until({ effect: 'unknown', reasonCode: 'SENDER_UNBOUND' });
    await request.stays({ effect: 'unknown' });
  });
});

/** Whose a payment is, is not said after a start before the asks of all records are known again. */
import { Family, type JsonObject } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { OpenAskIndex } from '../../packages/server/src/effects/chain/open-asks.js';
import { Verifier } from '../../packages/server/src/effects/chain/verifier.js';
import type { Wire } from '../chain/support/asked.js';
import { operationsOf, pageOf } from '../kit/operations.js';
import { until } from '../kit/until.js';
import { createWorld } from '../kit/world.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';

const CHAIN = 1879;
const TO = hex(0xb0b, 40);
const ACCOUNT = hex(0xc001, 40);

/** A server whose records are there already, and that has looked at none of them. */
function stopped() {
  const chain = new FakeChain(CHAIN);
  const world = createWorld();
  chain.timeOf = () => world.clock.now;
  const { needs, operations } = operationsOf(world, { chains: readerOf(chain) });
  const request = async (creator: string, value = 7) => {
    const made = toldBy(
      await operations.service.createOperation(world.principal(creator), {
        type: 'payment',
        network: 'local',
        chainId: CHAIN,
        steps: [{ id: 's0', txRequest: { to: TO, value: hex(value, 1) } }],
      }),
    );
    world.clock.now += 5;
    const secret = new URL(String(made.operationUrl)).hash.slice(3);
    const page = pageOf(operations.browser, { family: Family.Operation, id: String(made.id), secret });
    return {
      ask: () => page.post('status', { status: 'tx_requested', stepId: 's0', account: ACCOUNT }),
      tell: async (txHash: string) => {
        await page.post('status', { status: 'tx_submitted', stepId: 's0', txHash });
        world.clock.now += 1_000;
      },
      get: async (): Promise<Wire> => toldBy(await page.get()),
    };
  };
  /** As after a start: nothing is remembered. A gate can hold the finding of records up, page by page. */
  const start = async (gate?: Promise<void>) => {
    const openAsks = new OpenAskIndex();
    const { store } = needs;
    const due: typeof store.due = async (query) => {
      const page = await store.due(query);
      if (query.after) await gate;
      return page;
    };
    const held = Object.assign(Object.create(store) as typeof store, { due });
    const verifier = new Verifier({ ...needs, store: held, openAsks }, openAsks, { pollMs: 20 });
    await verifier.start();
    return verifier;
  };
  return { chain, request, start };
}

function toldBy(outcome: { value: JsonObject } | { rejection: { message: string } }): JsonObject {
  if ('value' in outcome) return outcome.value;
  throw new Error(outcome.rejection.message);
}

async function contested(between: number) {
  const { chain, request, start } = stopped();
  const thief = await request('mallory');
  await thief.ask();
  for (let n = 0; n < between; n++) await request(`agent-${n % 9}`, 9);
  const payer = await request('agent');
  await payer.ask();
  const hash = chain.send({ from: ACCOUNT, to: TO, value: 7n });
  return { chain, thief, payer, hash, start };
}

const MINED = { status: 'completed', effect: 'done' };
const TAKEN = { effect: 'unknown', reasonCode: 'HASH_USED' };

const isJudged = ({ steps }: Wire): boolean =>
  ['matched', 'mismatched'].includes(steps[0].claims[0]?.verification);

describe('a payment that was told before a restart', () => {
  it('review:C4 counts for the page that told first, though the record of another is found first', async () => {
    const { chain, thief, payer, hash, start } = await contested(20);
    await payer.tell(hash);
    await thief.tell(hash);
    chain.mine(hash);
    chain.advance(10);
    const verifier = await start();
    expect(await until(payer.get, isJudged)).toMatchObject(MINED);
    expect(await until(thief.get, isJudged)).toMatchObject(TAKEN);
    await verifier.close();
  });

  it('review:C4 nothing is looked at while records are being found, and what is told meanwhile waits with it', async () => {
    const { chain, thief, payer, hash, start } = await contested(500);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    chain.mine(hash);
    chain.advance(10);
    const asked = chain.asked.length;
    const verifier = await start(gate);
    await payer.tell(hash);
    await thief.tell(hash);
    await until(() => verifier.waiting === 2);
    expect(chain.asked).toHaveLength(asked);
    open();
    expect(await until(payer.get, isJudged)).toMatchObject(MINED);
    expect(await until(thief.get, isJudged)).toMatchObject(TAKEN);
    await verifier.close();
  });
});

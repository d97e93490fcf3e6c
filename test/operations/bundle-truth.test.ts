/** A bundle is deployed only by contracts that stand there as asked, are new, and serve no other request (review:C3, review:C4). */
import { creationData, deploymentSteps, setOstcData } from '@handover/evm';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { B2 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openRequests } from './support/watched-requests.js';

const CHAIN = 1879;
const STRANGER = hex(0x7777, 40);
const chain = new FakeChain(CHAIN);
const world = await openRequests(CHAIN, readerOf(chain));
afterAll(() => world.close());

let numbers = 0xd000;
const newAddress = () => hex(++numbers, 40);
beforeEach(() => {
  chain.pruned = 0;
});

type Made = Awaited<ReturnType<typeof world.bundle>>;
interface Placed {
  readonly rule: string;
  readonly flow: string;
}
const [RULE, FLOW] = deploymentSteps(B2()).map(({ id }) => id) as [string, string];
const [ruleText, flowText] = deploymentSteps(B2()).map(({ text }) => text) as [string, string];
const textWith = (rule: string) => flowText.replace('"cm:xrc137:R1"', `"${rule}"`);

/** Both contracts of the bundle, put on the chain by this owner. */
function place(owner: string): Placed {
  const [rule, flow] = [newAddress(), newAddress()];
  chain.advance(1);
  chain.contracts.set(rule, { owner, rule: ruleText });
  chain.contracts.set(flow, { owner, ostc: { flow: textWith(rule) } });
  chain.advance(5);
  return { rule, flow };
}

function artifact({ rule, flow }: Placed) {
  const bundle = B2();
  const [flowItem, ruleItem] = bundle.bundles[0].items;
  flowItem.meta.deployedAddress = flow;
  ruleItem.meta.deployedAddress = rule;
  return bundle;
}

async function connected(agent: string, account: string): Promise<Made> {
  const made = await world.bundle(agent, B2());
  await made.connect(account);
  return made;
}

/** What a page does for one step: asks, sends, tells. `stands`: what the transaction leaves on the chain. */
async function sendStep(
  made: Made,
  id: string,
  { from, to, data, stands }: { from: string; to?: string; data: string; stands?: object },
) {
  const step = { status: 'imported', stepId: id };
  await made.status({ ...step, stepStatus: 'requested', account: from });
  const hash = chain.send({ from, data, ...(to !== undefined && { to }) });
  const contract = newAddress();
  chain.mine(hash, 'success', to === undefined ? contract : null);
  if (stands) chain.contracts.set(to ?? contract, { owner: from, ...stands });
  chain.advance(5);
  await made.status({ ...step, stepStatus: 'submitted', txHash: hash });
  return { contract, hash };
}

const sendRule = (made: Made, from: string) =>
  sendStep(made, RULE, {
    from,
    data: creationData('0x6001', { kind: 'xrc137', text: ruleText }),
    stands: { rule: ruleText },
  });
const flowData = (text: string) => creationData('0x6001', { kind: 'xrc729', text, ostcId: 'flow' });

describe('what a result alone says of contracts', () => {
  it('review:C4 is shown by new contracts of an account that was connected before', async () => {
    const owner = newAddress();
    const made = await connected('alice', owner);
    await made.result(artifact(place(owner)));
    await made.until({ status: 'deployed', effect: 'done', verification: 'matched' });
  });

  it('review:C4 contracts that stood there when the wallet was connected are too old', async () => {
    const owner = newAddress();
    const placed = place(owner);
    const made = await connected('alice', owner);
    await made.result(artifact(placed));
    await made.until({ effect: 'unknown', reasonCode: 'TOO_OLD', verification: 'mismatched' });
    await made.stays({ effect: 'unknown', status: 'imported' });
  });

  it('review:C4 contracts of somebody who was not asked are nobody’s, of whom so ever', async () => {
    const made = await world.bundle('alice', B2());
    await made.status({ status: 'opened' });
    await made.result(artifact(place(STRANGER)));
    const unbound = { effect: 'unknown', reasonCode: 'SENDER_UNBOUND', verification: 'pending' };
    await made.until(unbound);
    const other = await connected('alice', newAddress());
    await other.result(artifact(place(STRANGER)));
    await other.until(unbound);
    await other.stays({ ...unbound, status: 'imported' });
  });

  it('review:C4 a node that has forgotten the block of the request shows nothing', async () => {
    const owner = newAddress();
    const made = await connected('alice', owner);
    const placed = place(owner);
    chain.pruned = (await chain.blockNumber()) - 4;
    await made.result(artifact(placed));
    await made.until({ effect: 'unknown', verification: 'pending' });
    await made.stays({ effect: 'unknown', status: 'imported' });
    chain.pruned = 0;
    await made.until({ status: 'deployed' });
  });

  it.each(['bob', 'carol'])(
    'review:C3 contracts serve one request, also when %s tells of them first',
    async (other) => {
      const owner = newAddress();
      const [first, second] = [await connected(other, owner), await connected('alice', owner)];
      const placed = artifact(place(owner));
      await first.result(placed);
      await first.until({ status: 'deployed', effect: 'done' });
      await second.result(placed);
      await second.until({ effect: 'unknown', reasonCode: 'HASH_USED', verification: 'mismatched' });
      await second.stays({ effect: 'unknown', status: 'imported' });
    },
  );

  const lost = { effect: 'unknown', reasonCode: 'HASH_USED', reasonDetail: 'of_another_creator' };

  /** Both contracts are made; `tells`: the page says by which transactions. */
  async function sent(made: Made, owner: string, placed: Placed, tells: boolean) {
    const hashes: string[] = [];
    const parts = [
      [RULE, placed.rule, ruleText, creationData('0x6001', { kind: 'xrc137', text: ruleText })],
      [FLOW, placed.flow, textWith(placed.rule), flowData(textWith(placed.rule))],
    ] as const;
    for (const [stepId, address, text, data] of parts) {
      if (tells || stepId === RULE)
        await made.status({ status: 'imported', stepId, stepStatus: 'requested', account: owner });
      const hash = chain.send({ from: owner, data });
      if (tells) await made.status({ status: 'imported', stepId, stepStatus: 'submitted', txHash: hash });
      chain.mine(hash, 'success', address as `0x${string}`);
      chain.contracts.set(address, {
        owner,
        ...(stepId === RULE ? { rule: text } : { ostc: { flow: text } }),
      });
      if (tells && stepId === RULE) await made.stays({});
      hashes.push(hash);
    }
    return hashes;
  }

  it.each([
    ['after that', false],
    ['before there were any', true],
  ])(
    'review:C8 contracts are of the page that told how they were made; a result named them %s',
    async (_, guess) => {
      const owner = newAddress();
      const [payer, other] = [await world.bundle('alice', B2()), await connected('carol', owner)];
      await payer.connect(owner);
      const placed = { rule: newAddress(), flow: newAddress() };
      if (guess) await other.result(artifact(placed));
      world.clock.now += 1_000;
      await sent(payer, owner, placed, true);
      world.clock.now += 1_000;
      await world.followed();
      chain.advance(5);
      if (!guess) await other.result(artifact(placed));
      await payer.until({ steps: [{ status: 'confirmed' }, { status: 'confirmed' }] });
      await other.until({ ...lost, verification: 'mismatched' });
      await other.stays(lost);
    },
  );

  it('review:C4 whoever told too late is never told that nothing was made', async () => {
    const owner = newAddress();
    const [payer, other] = [await world.bundle('alice', B2()), await connected('carol', owner)];
    await payer.connect(owner);
    const placed = { rule: newAddress(), flow: newAddress() };
    // The node does not find it by its number, so it has to be told.
    chain.nameless.add(owner);
    const [hash = ''] = await sent(payer, owner, placed, false);
    chain.advance(5);
    await other.result(artifact(placed));
    await other.until({ status: 'deployed', effect: 'done' });
    await payer.status({ status: 'imported', stepId: RULE, stepStatus: 'submitted', txHash: hash });
    await payer.until(lost);
    await payer.status({ status: 'imported', stepId: RULE, stepStatus: 'failed', answer: 'said_not_signed' });
    world.clock.now += 15 * 60_000;
    chain.advance(2);
    await payer.stays({ effect: 'unknown', steps: [{ effect: 'unknown' }, {}] });
  });

  it('review:C3 nor does a contract that a transaction of another request has made', async () => {
    const owner = newAddress();
    const [first, second] = [await world.bundle('alice', B2()), await connected('bob', owner)];
    const { contract: rule } = await sendRule(first, owner);
    await first.until({ steps: [{ status: 'confirmed' }, {}] });
    const { contract: flow } = await sendStep(first, FLOW, {
      from: owner,
      data: flowData(textWith(rule)),
      stands: { ostc: { flow: textWith(rule) } },
    });
    await first.until({ steps: [{ status: 'confirmed' }, { status: 'confirmed' }] });
    await second.result(artifact({ rule, flow }));
    await second.until({ effect: 'unknown', reasonCode: 'HASH_USED' });
    await first.result(artifact({ rule, flow }));
    await first.until({ status: 'deployed', effect: 'done' });
  });
});

describe('what a transaction of a bundle has to leave on the chain', () => {
  it('review:C4 a creation with the right argument that leaves nothing confirms no step, and a cancel makes nothing of it', async () => {
    const owner = newAddress();
    const made = await world.bundle('alice', B2());
    const data = creationData('0x00', { kind: 'xrc137', text: ruleText });
    await sendStep(made, RULE, { from: owner, data });
    await made.until({ effect: 'unknown', steps: [{ status: 'submitted', verification: 'pending' }, {}] });
    expect(await made.cancel()).toMatchObject({ effect: 'unknown' });
    await made.stays({ effect: 'unknown', status: 'imported' });
    world.clock.now += 25 * 3_600_000;
    await made.until({ effect: 'unknown', closed: true });
  });

  it.each([
    ['another text', { rule: '{}' }, 'rule_differs'],
    ['another owner', { rule: ruleText, owner: STRANGER }, 'owner_differs'],
    ['no text at all', {}, 'rule_differs'],
  ])('review:1.4 row 20: a contract with %s is something else', async (_, stands, reasonDetail) => {
    const owner = newAddress();
    const made = await world.bundle('alice', B2());
    const data = creationData('0x00', { kind: 'xrc137', text: ruleText });
    await sendStep(made, RULE, { from: owner, data, stands });
    await made.until({ effect: 'different', reasonCode: 'MISMATCHED', reasonDetail });
  });

  it('review:1.4 row 20: so is an orchestration with other rules or further executors, whatever it says of itself', async () => {
    const owner = newAddress();
    for (const data of [flowData(textWith(STRANGER)), `${flowData('{}')}00`, '0x00']) {
      const made = await world.bundle('alice', B2());
      const { contract: rule } = await sendRule(made, owner);
      await made.until({ steps: [{ status: 'confirmed' }, {}] });
      await sendStep(made, FLOW, { from: owner, data, stands: { ostc: { flow: textWith(rule) } } });
      await made.until({ effect: 'different', reasonDetail: 'data_differs' });
    }
  });

  it('review:1.4 row 20: a text is set in the contract that was named, and exactly', async () => {
    const [owner, registry] = [newAddress(), newAddress()];
    chain.contracts.set(registry, { owner, ostc: {} });
    const bundle = B2();
    bundle.bundles[0].items[0].meta.deployedAddress = registry;
    const run = async (to: string, text: (rule: string) => string) => {
      const made = await world.bundle('alice', bundle);
      const { contract: rule } = await sendRule(made, owner);
      await made.until({ steps: [{ status: 'confirmed' }, {}] });
      const stands = { ostc: { flow: textWith(rule) } };
      await sendStep(made, FLOW, { from: owner, to, data: setOstcData('flow', text(rule)), stands });
      return { made, rule };
    };
    const elsewhere = await run(newAddress(), textWith);
    await elsewhere.made.until({ effect: 'different', reasonDetail: 'to_differs' });
    const other = await run(registry, () => '{}');
    await other.made.until({ effect: 'different', reasonDetail: 'data_differs' });
    const right = await run(registry, textWith);
    await right.made.until({ steps: [{ status: 'confirmed' }, { status: 'confirmed' }] });
    await right.made.result(artifact({ rule: right.rule, flow: registry }));
    await right.made.until({ status: 'deployed', effect: 'done' });
    // Without its transaction nobody knows when it was set.
    const untold = await world.bundle('bob', bundle);
    await untold.connect(owner);
    await untold.result(artifact({ rule: right.rule, flow: registry }));
    await untold.stays({ effect: 'unknown', status: 'imported' });
  });

  it('review:E2 a bundle whose steps all stand is deployed at its end, and a result about other contracts is not used', async () => {
    const owner = newAddress();
    const made = await world.bundle('alice', B2());
    const { contract: rule } = await sendRule(made, owner);
    await made.until({ steps: [{ status: 'confirmed' }, {}] });
    await sendStep(made, FLOW, {
      from: owner,
      data: flowData(textWith(rule)),
      stands: { ostc: { flow: textWith(rule) } },
    });
    await made.until({ steps: [{ status: 'confirmed' }, { status: 'confirmed' }] });
    await made.result(artifact(place(owner)));
    await made.until({ verification: 'mismatched', status: 'imported' });
    world.clock.now += 25 * 3_600_000;
    await made.until({ status: 'deployed', effect: 'done', reasonCode: 'SENT_AFTER_EXPIRY' });
    await expect(world.fromBundle('alice', made.handle)).rejects.toThrow('must exist with status deployed');
  });
});

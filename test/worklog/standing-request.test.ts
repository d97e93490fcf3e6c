/** requestHandoff with a time of its own, what outlives its offer, and a key that somebody else has. */
import { createMemoryStore } from '@handover/engine';
import { expect, it } from 'vitest';
import { ok } from '../kit/outcomes.js';
import { agent, alice, bob } from '../kit/principals.js';
import { expectSound } from './macp.js';
import { createWorld } from './world.js';

const KEY = 'the work';
const DAY = 86_400_000;

async function requested(
  more: { expiresIn?: number; autoCommit?: boolean } = {},
  store = createMemoryStore(),
) {
  const world = createWorld(store);
  const { handoffs } = world;
  await ok(handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }));
  for (let n = 1; n <= 3; n++)
    await ok(
      handoffs.updateContext(alice, { sessionKey: KEY, contextType: 'message', content: `step ${n}` }),
    );
  const asked = { sessionKey: KEY, targetAgent: 'bob', requestType: 'full_handoff' as const, ...more };
  const offer = await ok(handoffs.requestHandoff(alice, asked));
  const pickUp = () => handoffs.pickUp(bob, { sessionKey: KEY, anyone: false });
  return { world, handoffs, offer, pickUp, asked };
}

it('assistants:K3 an offer for three days is there on the second, although its session lives for one', async () => {
  const { world, handoffs, offer, pickUp } = await requested({ expiresIn: 3 * 86_400 });
  expect(offer).toMatchObject({ expiresAt: expect.any(Number), leftUntil: world.clock.now + 3 * DAY });
  expect(offer.expiresAt).toBe(offer.leftUntil);
  world.clock.now += 2 * DAY;
  expect(await ok(handoffs.getHandoff(bob, offer.handoffId))).toMatchObject({ phase: 'expired' });
  expect(await ok(pickUp())).toMatchObject({ phase: 'committed', holder: 'bob' });
  await expectSound(world);
});

it('a short time is also the time of the session; without one, and for who commits itself, nothing outlives it', async () => {
  const short = await requested({ expiresIn: 60 });
  expect(short.offer.expiresAt).toBe(short.offer.offeredAt + 60_000);
  for (const more of [{}, { expiresIn: 3 * 86_400, autoCommit: false }]) {
    const { world, offer, pickUp } = await requested(more);
    expect(offer).not.toHaveProperty('leftUntil');
    world.clock.now += 2 * DAY;
    expect(await pickUp()).toHaveProperty('rejection');
  }
});

it('assistants:K2 cancelling an offer whose time was over withdraws what outlived it, once', async () => {
  const { world, handoffs, offer, pickUp } = await requested({ expiresIn: 3 * 86_400 });
  world.clock.now += 2 * DAY;
  const { handoffId } = offer;
  expect(await handoffs.cancelHandoff(bob, { handoffId })).toMatchObject({
    rejection: { code: expect.any(String) },
  });
  expect(await handoffs.cancelHandoff(alice, { handoffId })).toMatchObject({ value: { phase: 'expired' } });
  expect(await handoffs.cancelHandoff(alice, { handoffId })).toMatchObject({ replayed: true });
  expect(await pickUp()).toHaveProperty('rejection');
  await expectSound(world);
  const other = await requested();
  other.world.clock.now += 2 * DAY;
  expect(await other.handoffs.cancelHandoff(alice, { handoffId: other.offer.handoffId })).toMatchObject({
    rejection: { code: 'CONFLICT' },
  });
});

it('a repeated request is the same request only with the same time', async () => {
  const { handoffs, asked } = await requested();
  const keyed = {
    ...asked,
    targetAgent: 'carol',
    requestType: 'collaboration' as const,
    idempotencyKey: 'k',
  };
  await ok(handoffs.requestHandoff(alice, { ...keyed, expiresIn: 60 }));
  expect(await handoffs.requestHandoff(alice, { ...keyed, expiresIn: 60 })).toMatchObject({ replayed: true });
  expect(await handoffs.requestHandoff(alice, { ...keyed, expiresIn: 61 })).toMatchObject({
    rejection: { code: 'CONFLICT' },
  });
});

it('the entries of a session are read once for its package and its warnings', async () => {
  const store = createMemoryStore();
  let read = 0;
  const counting = {
    ...store,
    read: async (...args: Parameters<typeof store.read>) => {
      const entries = await store.read(...args);
      if (args[0].kind === 'worklog') read += entries.length;
      return entries;
    },
  };
  const { offer } = await requested({}, counting);
  expect(offer.warnings).toMatchObject([{ code: 'THIN' }, { code: 'NO_GOAL' }]);
  // That of the registration when it was answered, and the four of the log.
  expect(read).toBe(5);
});

it('assistants:1.2 a key that somebody else has is refused with one that is free', async () => {
  const { handoffs } = await requested();
  const mine = { sessionKey: KEY, agentFrom: 'mallory' };
  const shop = { project: { id: 'git:1', name: 'Shop' }, transport: 'http', since: 0 } as const;
  const taken = await handoffs.registerSession(agent('mallory'), mine, shop);
  expect(taken).toMatchObject({
    rejection: {
      code: 'CONFLICT',
      details: { sessionKey: KEY, suggestion: expect.stringMatching(/^shop-\d{8}-\w{4}$/) },
    },
  });
  expect(JSON.stringify(taken)).not.toContain('alice');
  const { suggestion = '' } = ('rejection' in taken && taken.rejection.details) || {};
  await ok(handoffs.registerSession(agent('mallory'), { ...mine, sessionKey: String(suggestion) }));
  expect(await handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' })).not.toHaveProperty(
    'rejection.details.suggestion',
  );
});

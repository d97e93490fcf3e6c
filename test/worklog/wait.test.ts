/** Waiting for news, V1 to V3: nothing missed, nothing of others, nothing for nothing. */
import { RequestType } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { withScrambledCursors } from '@handover/engine/store-contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { code, ok } from '../kit/outcomes.js';
import { alice, bob, carol, mallory } from '../kit/principals.js';
import { accept, decline } from './macp.js';
import { createWorld, type World } from './world.js';

let world: World;
const never = new AbortController().signal;

beforeEach(async () => {
  world = createWorld(withScrambledCursors(createMemoryStore()));
  world.deps.engine.start();
  for (const sessionKey of ['k', 'l'])
    await ok(world.handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }));
});

const request = (sessionKey = 'k', targetAgent = 'bob') =>
  ok(
    world.handoffs.requestHandoff(alice, {
      sessionKey,
      targetAgent,
      requestType: RequestType.FullHandoff,
      // What is accepted waits for its owner.
      autoCommit: false,
    }),
  );
const wait = (who: typeof alice, more: { handoffId?: string; since?: string; timeoutMs?: number } = {}) =>
  ok(world.handoffs.waitForHandoff(who, { timeoutMs: 5_000, ...more }, never));

describe('without a handoff id', () => {
  it('wakes whoever is offered something', async () => {
    const waiting = wait(bob);
    const { handoffId } = await request();
    expect(await waiting).toMatchObject({ changed: true, handoffs: [{ handoffId, phase: 'offered' }] });
  });

  it('gives at once what is open already; with the mark only what is new', async () => {
    const first = await request();
    const { mark, ...there } = await wait(bob);
    expect(there).toMatchObject({ changed: true, handoffs: [{ handoffId: first.handoffId }] });
    const { changed, handoffs } = await wait(bob, { since: mark, timeoutMs: 20 });
    expect({ changed, handoffs }).toMatchObject({
      changed: false,
      handoffs: [{ handoffId: first.handoffId }],
    });
    const second = await request('l');
    expect(await wait(bob, { since: mark })).toMatchObject({
      changed: true,
      handoffs: [{ handoffId: second.handoffId }],
    });
  });

  it('misses nothing between two calls', async () => {
    const { mark } = await wait(bob, { timeoutMs: 0 });
    const { handoffId } = await request();
    await ok(world.handoffs.cancelHandoff(alice, { handoffId }));
    const late = await wait(bob, { since: mark, timeoutMs: 0 });
    expect(late).toMatchObject({ changed: true, handoffs: [{ handoffId, phase: 'cancelled' }] });
    expect(await wait(bob, { since: late.mark, timeoutMs: 20 })).toMatchObject({
      changed: false,
      handoffs: [],
    });
  });

  it('tells the owner of an answer, over whichever door, and nobody of their own doings', async () => {
    const { macpSessionId } = await request();
    const { mark } = await wait(alice, { timeoutMs: 0 });
    const waiting = wait(alice, { since: mark });
    const answering = wait(bob, { since: mark, timeoutMs: 100 });
    await accept(world, bob, macpSessionId);
    expect(await waiting).toMatchObject({ changed: true, handoffs: [{ phase: 'accepted' }] });
    expect(await answering).toMatchObject({ changed: false });
  });

  it('tells an outsider nothing', async () => {
    const strangers = [wait(mallory, { timeoutMs: 150 }), wait(carol, { timeoutMs: 150 })];
    const { macpSessionId } = await request();
    await decline(world, bob, macpSessionId);
    for (const waited of await Promise.all(strangers))
      expect(waited).toMatchObject({ changed: false, handoffs: [] });
  });
});

describe('with a handoff id', () => {
  it('wakes for that one only', async () => {
    const one = await request('k', 'bob');
    const waiting = wait(alice, { handoffId: one.handoffId });
    const two = await request('l', 'carol');
    await ok(world.handoffs.declineHandoff(carol, { handoffId: two.handoffId }));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId: one.handoffId }));
    expect(await waiting).toMatchObject({
      changed: true,
      handoffs: [{ handoffId: one.handoffId, phase: 'accepted' }],
    });
  });

  it('wakes when the time of the offer is over', async () => {
    const { handoffId } = await request();
    const waiting = wait(alice, { handoffId });
    await new Promise((resolve) => setTimeout(resolve, 20));
    world.clock.now += 86_400_001;
    await world.handoffs.getHandoff(bob, handoffId);
    expect(await waiting).toMatchObject({
      changed: true,
      handoffs: [{ phase: 'expired', status: 'failed' }],
    });
  });

  it('tells the owner of a Commitment that was made in its name', async () => {
    const args = {
      sessionKey: 'k',
      targetAgent: 'bob',
      requestType: RequestType.FullHandoff,
      autoCommit: true,
    };
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, args));
    const waiting = wait(alice, { handoffId });
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(await waiting).toMatchObject({ changed: true, handoffs: [{ phase: 'committed', holder: 'bob' }] });
  });

  it('does not wait for what is over', async () => {
    const { handoffId } = await request();
    await ok(world.handoffs.cancelHandoff(alice, { handoffId }));
    const started = performance.now();
    expect(await wait(bob, { handoffId, timeoutMs: 50_000 })).toMatchObject({
      changed: false,
      handoffs: [{ phase: 'cancelled' }],
    });
    expect(performance.now() - started).toBeLessThan(40_000);
  });

  it('is not found by an outsider', async () => {
    const { handoffId } = await request();
    expect(await code(world.handoffs.waitForHandoff(mallory, { handoffId, timeoutMs: 10 }, never))).toBe(
      'HANDOFF_NOT_FOUND',
    );
  });
});

describe('waiting', () => {
  it('ends with its signal', async () => {
    const ending = new AbortController();
    const waiting = ok(world.handoffs.waitForHandoff(bob, { timeoutMs: 50_000 }, ending.signal));
    setTimeout(() => ending.abort(), 20);
    expect(await waiting).toMatchObject({ changed: false });
  });

  it('takes only marks of its own; one from far back, or from elsewhere, is brought up to date', async () => {
    for (const since of ['x', '', 'MTph'])
      expect(await code(world.handoffs.waitForHandoff(bob, { since, timeoutMs: 0 }, never))).toBe(
        'VALIDATION_ERROR',
      );
    const { mark } = await wait(bob, { timeoutMs: 0 });
    const { handoffId } = await request();
    const write = () =>
      ok(world.handoffs.updateContext(alice, { sessionKey: 'k', contextType: 'message', content: 'x' }));
    for (let i = 0; i < 6; i++) await Promise.all(Array.from({ length: 1_000 }, write));
    const old = await wait(bob, { since: mark });
    expect(old).toMatchObject({ changed: true, handoffs: [{ handoffId }] });
    const fresh = createWorld(withScrambledCursors(createMemoryStore()));
    expect(
      await ok(fresh.handoffs.waitForHandoff(bob, { since: old.mark, timeoutMs: 0 }, never)),
    ).toMatchObject({
      changed: false,
    });
  });

  it('takes the marks of 0.1.0', async () => {
    const other = createWorld();
    await ok(other.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
    const args = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.FullHandoff };
    const { handoffId } = await ok(other.handoffs.requestHandoff(alice, args));
    const since = (text: string) =>
      other.handoffs.waitForHandoff(
        bob,
        { since: Buffer.from(text).toString('base64url'), timeoutMs: 20 },
        never,
      );
    const end = Number(await other.store.position());
    expect(await ok(since('1:@1'))).toMatchObject({ changed: true, handoffs: [{ handoffId }] });
    expect(await ok(since(`1:@${end}`))).toMatchObject({ changed: false });
    // What is given out now has the same form, under the newer prefix.
    const { mark } = await ok(since('1:@1'));
    expect(Buffer.from(mark, 'base64url').toString()).toBe(`v2:feed:@${end}`);
    expect(await ok(since(`v2:feed:@${end}`))).toMatchObject({ changed: false });
    for (const text of [
      '1:@',
      '1:@x',
      '1:1',
      'v1:@1',
      'v2:feed:@-1',
      'v2:feed:@~12',
      `v2:feed:@${'9'.repeat(16)}`,
    ])
      expect(await code(since(text))).toBe('VALIDATION_ERROR');
  });
});

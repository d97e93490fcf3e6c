/** H3: with a key, the same request again gives the first one's result; another request under the key is a conflict. */
import { RequestType } from '@handover/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { code, ok } from '../kit/outcomes.js';
import { alice, bob, carol } from '../kit/principals.js';
import { expectSound } from './macp.js';
import { createWorld, type World } from './world.js';

let world: World;

beforeEach(async () => {
  world = createWorld();
  await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
});

const add = (content = 'x') =>
  world.handoffs.updateContext(alice, { sessionKey: 'k', contextType: 'message', content });

describe('with an idempotency key', () => {
  it('registers once', async () => {
    const args = { sessionKey: 'k2', agentFrom: 'alice', metadata: { a: [1] }, idempotencyKey: 'one' };
    const first = await ok(world.handoffs.registerSession(alice, args));
    expect(await world.handoffs.registerSession(alice, args)).toEqual({ value: first, replayed: true });
    const other = { ...args, metadata: { a: [2] } };
    expect(await code(world.handoffs.registerSession(alice, other))).toBe('CONFLICT');
    expect(await code(world.handoffs.registerSession(alice, { ...args, idempotencyKey: 'two' }))).toBe(
      'CONFLICT',
    );
  });

  it('adds an entry once, and answers with its number ever after', async () => {
    const args = { sessionKey: 'k', contextType: 'message', content: 'one', idempotencyKey: 'one' };
    const first = await ok(world.handoffs.updateContext(alice, args));
    await ok(add());
    const again = await world.handoffs.updateContext(alice, { ...args, expectedSequence: 0 });
    expect(again).toMatchObject({ value: { entry: first.entry }, replayed: true });
    expect(first.entry.sequenceNumber).toBe(1);
    for (const changed of [{ content: 'two' }, { contextType: 'file' }, { metadata: { a: 1 } }])
      expect(await code(world.handoffs.updateContext(alice, { ...args, ...changed }))).toBe('CONFLICT');
    expect((await ok(world.handoffs.getSession(alice, 'k'))).lastSequence).toBe(2);
  });

  it('is one’s own: another agent’s key is another key', async () => {
    const args = { sessionKey: 'of bob', agentFrom: 'bob', idempotencyKey: 'one' };
    await ok(world.handoffs.registerSession(bob, args));
    const write = { contextType: 'message', content: 'x', idempotencyKey: 'two' };
    expect(await world.handoffs.updateContext(bob, { ...write, sessionKey: 'of bob' })).not.toHaveProperty(
      'replayed',
    );
    expect(await world.handoffs.updateContext(alice, { ...write, sessionKey: 'k' })).not.toHaveProperty(
      'replayed',
    );
  });

  it('requests a handoff once, also when the work has moved on and away', async () => {
    const requestType = RequestType.FullHandoff;
    const args = { sessionKey: 'k', targetAgent: 'bob', requestType, idempotencyKey: 'one' };
    const first = await ok(world.handoffs.requestHandoff(alice, args));
    await ok(add());
    const again = await world.handoffs.requestHandoff(alice, args);
    expect(again).toEqual({ value: first, replayed: true });
    expect(await code(world.handoffs.requestHandoff(alice, { ...args, targetAgent: 'carol' }))).toBe(
      'CONFLICT',
    );
    const { handoffId } = first;
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(await world.handoffs.requestHandoff(alice, args)).toMatchObject({
      value: { handoffId, status: 'completed' },
      replayed: true,
    });
    await expectSound(world);
  });

  it('of one handoff is not taken for another, not even of another session', async () => {
    await ok(world.handoffs.registerSession(alice, { sessionKey: 'l', agentFrom: 'alice' }));
    const args = { targetAgent: 'bob', requestType: RequestType.FullHandoff, idempotencyKey: 'one' };
    await ok(world.handoffs.requestHandoff(alice, { ...args, sessionKey: 'k' }));
    expect(await code(world.handoffs.requestHandoff(alice, { ...args, sessionKey: 'l' }))).toBe('CONFLICT');
    const both = ['k', 'l'].map((sessionKey) =>
      code(
        world.handoffs.requestHandoff(alice, {
          ...args,
          sessionKey,
          requestType: 'collaboration',
          idempotencyKey: 'two',
        }),
      ),
    );
    expect((await Promise.all(both)).toSorted()).toEqual(['CONFLICT', 'ok']);
    expect((await ok(world.handoffs.listHandoffs(bob, { box: 'inbox' }))).handoffs).toHaveLength(2);
    expect(
      await code(world.handoffs.requestHandoff(alice, { ...args, sessionKey: 'l', idempotencyKey: 'three' })),
    ).toBe('ok');
    await expectSound(world);
  });

  it('of a session is that session’s', async () => {
    const [one, two] = [
      await ok(
        world.handoffs.registerSession(alice, {
          sessionKey: 'm',
          agentFrom: 'alice',
          metadata: { m: 1 },
          idempotencyKey: 'x',
        }),
      ),
      await ok(
        world.handoffs.registerSession(alice, {
          sessionKey: 'n',
          agentFrom: 'alice',
          metadata: { n: 1 },
          idempotencyKey: 'x',
        }),
      ),
    ];
    expect(one.id).not.toBe(two.id);
    expect((await ok(world.handoffs.getSession(alice, 'm'))).metadata).toEqual({ m: 1 });
    expect((await ok(world.handoffs.getSession(alice, 'n'))).metadata).toEqual({ n: 1 });
  });

  it('requests a handoff once when it is sent twice at once, with writes in between', async () => {
    const requestType = RequestType.FullHandoff;
    for (let i = 0; i < 30; i++) {
      const args = { sessionKey: 'k', targetAgent: 'bob', requestType, idempotencyKey: `key ${i}` };
      const [one, , two] = await Promise.all([
        ok(world.handoffs.requestHandoff(alice, args)),
        ok(add()),
        ok(world.handoffs.requestHandoff(alice, args)),
      ]);
      expect(two.handoffId).toBe(one.handoffId);
      await ok(world.handoffs.cancelHandoff(alice, one));
    }
    const { handoffs } = await ok(world.handoffs.listHandoffs(bob, { box: 'inbox' }));
    expect(handoffs).toHaveLength(30);
  });

  it('sends a context once', async () => {
    const request = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.Collaboration };
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, request));
    const args = { handoffId, contentType: 'text/plain', content: 'hello' };
    const keyed = { ...args, idempotencyKey: 'one' };
    expect((await ok(world.handoffs.sendHandoffContext(alice, keyed))).contexts).toBe(2);
    expect(await world.handoffs.sendHandoffContext(alice, keyed)).toMatchObject({
      value: { contexts: 2 },
      replayed: true,
    });
    expect(await code(world.handoffs.sendHandoffContext(alice, { ...keyed, content: 'bye' }))).toBe(
      'CONFLICT',
    );
    await ok(world.handoffs.sendHandoffContext(alice, args));
    expect((await ok(world.handoffs.sendHandoffContext(alice, args))).contexts).toBe(4);
  });
});

describe('without a key', () => {
  it('an answer, a Commitment and a cancellation are still given once', async () => {
    const asked = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.Collaboration };
    const request = { ...asked, autoCommit: false };
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, request));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId, reason: 'yes' }));
    expect(await world.handoffs.acceptHandoff(bob, { handoffId, reason: 'yes' })).toMatchObject({
      replayed: true,
    });
    expect(await world.handoffs.declineHandoff(bob, { handoffId })).toMatchObject({
      rejection: { code: 'CONFLICT', details: { handoffId, phase: 'accepted', status: 'pending' } },
    });
    await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(await world.handoffs.commitHandoff(alice, { handoffId })).toMatchObject({ replayed: true });
    expect(await world.handoffs.cancelHandoff(alice, { handoffId })).toMatchObject({
      rejection: { code: 'CONFLICT', details: { phase: 'committed' } },
    });
    const other = await ok(world.handoffs.requestHandoff(alice, { ...request, targetAgent: 'carol' }));
    expect(await world.handoffs.cancelHandoff(alice, other)).not.toHaveProperty('replayed');
    expect(await world.handoffs.cancelHandoff(alice, other)).toMatchObject({ replayed: true });
    expect(await code(world.handoffs.acceptHandoff(carol, other))).toBe('CONFLICT');
  });
});

describe('expectedSequence', () => {
  it('is the last number seen, on every write', async () => {
    const args = { sessionKey: 'k', contextType: 'message', content: 'x' };
    await ok(world.handoffs.updateContext(alice, { ...args, expectedSequence: 0 }));
    const request = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.FullHandoff };
    const refused = { rejection: { code: 'CONFLICT', details: { sessionKey: 'k', currentSequence: 1 } } };
    for (const expectedSequence of [0, 2]) {
      expect(await world.handoffs.updateContext(alice, { ...args, expectedSequence })).toMatchObject(refused);
      expect(await world.handoffs.requestHandoff(alice, { ...request, expectedSequence })).toMatchObject(
        refused,
      );
    }
    await ok(world.handoffs.requestHandoff(alice, { ...request, expectedSequence: 1 }));
  });
});

/** What each kind of handoff does to the work: who may write and read before, meanwhile and after. */
import { RequestType } from '@handover/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { code, ok } from '../kit/outcomes.js';
import { alice, bob, carol, mallory } from '../kit/principals.js';
import { createWorld, type World } from './world.js';

const KEY = 'the work';
let world: World;

const write = (who: typeof alice, content = 'text') =>
  world.handoffs.updateContext(who, { sessionKey: KEY, contextType: 'message', content });
const request = (requestType: RequestType, more: object = {}) =>
  ok(world.handoffs.requestHandoff(alice, { sessionKey: KEY, targetAgent: 'bob', requestType, ...more }));
const numbers = async (who: typeof alice) => {
  const { entries } = await ok(world.handoffs.readContext(who, { sessionKey: KEY, afterSequence: 0 }));
  return entries.map(({ sequenceNumber }) => sequenceNumber);
};

beforeEach(async () => {
  world = createWorld();
  await ok(
    world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice', metadata: { a: 1 } }),
  );
  await ok(write(alice, 'one'));
  await ok(write(alice, 'two'));
});

describe('full_handoff', () => {
  it('moves the work when it is committed, and not before', async () => {
    const offered = await request(RequestType.FullHandoff, { autoCommit: false });
    expect(offered).toMatchObject({ status: 'pending', phase: 'offered', holder: 'alice', packageUpTo: 2 });
    expect(await code(write(bob))).toBe('FORBIDDEN');
    await ok(write(alice, 'three'));
    const { handoffId } = offered;
    const accepted = await ok(world.handoffs.acceptHandoff(bob, { handoffId, reason: 'gladly' }));
    expect(accepted).toMatchObject({ status: 'pending', phase: 'accepted', answerReason: 'gladly' });
    expect(await code(write(bob))).toBe('FORBIDDEN');
    const committed = await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(committed).toMatchObject({ status: 'completed', phase: 'committed', holder: 'bob' });
    expect(await code(write(alice))).toBe('FORBIDDEN');
    const { entry, session } = await ok(write(bob, 'four'));
    expect(entry.sequenceNumber).toBe(4);
    expect(session).toMatchObject({ owner: 'bob', agentFrom: 'alice', metadata: { a: 1 } });
    expect(await numbers(bob)).toEqual([1, 2, 3, 4]);
    // The old owner reads up to the transfer.
    expect(await numbers(alice)).toEqual([1, 2, 3]);
    expect((await ok(world.handoffs.getSession(alice, KEY))).lastSequence).toBe(3);
  });

  it('is under way once at a time; a decline frees the work at once', async () => {
    const { handoffId } = await request(RequestType.FullHandoff);
    const again = { sessionKey: KEY, targetAgent: 'carol', requestType: RequestType.FullHandoff };
    expect(await world.handoffs.requestHandoff(alice, again)).toMatchObject({
      rejection: { code: 'CONFLICT', details: { handoffId } },
    });
    const declined = await ok(world.handoffs.declineHandoff(bob, { handoffId, reason: 'no time' }));
    expect(declined).toMatchObject({ status: 'failed', phase: 'declined', holder: 'alice' });
    const next = await ok(world.handoffs.requestHandoff(alice, { ...again, autoCommit: false }));
    await ok(world.handoffs.acceptHandoff(carol, { handoffId: next.handoffId }));
    expect(await code(world.handoffs.requestHandoff(alice, { ...again, targetAgent: 'bob' }))).toBe(
      'CONFLICT',
    );
  });

  it('gives the pending target the package and nothing else', async () => {
    const { handoffId } = await request(RequestType.FullHandoff);
    await ok(write(alice, 'later'));
    expect(await code(world.handoffs.getSession(bob, KEY))).toBe('SESSION_NOT_FOUND');
    expect(await code(world.handoffs.readContext(bob, { sessionKey: KEY, afterSequence: 0 }))).toBe(
      'SESSION_NOT_FOUND',
    );
    const { package: handed, entries } = await ok(world.handoffs.getPackage(bob, { handoffId }));
    expect(entries.map(({ content }) => content)).toEqual(['one', 'two']);
    expect(handed).toMatchObject({ sessionKey: KEY, manifest: { lastSequence: 2 } });
    expect(await code(world.handoffs.getPackage(mallory, { handoffId }))).toBe('HANDOFF_NOT_FOUND');
    await ok(world.handoffs.declineHandoff(bob, { handoffId }));
    const after = await ok(world.handoffs.getPackage(bob, { handoffId }));
    expect(after).toMatchObject({ entries: [], entriesWithheld: expect.stringContaining('declined') });
    expect((await ok(world.handoffs.getPackage(alice, { handoffId }))).entries).toHaveLength(2);
  });
});

describe('collaboration', () => {
  it('lets both write and leaves the work with its owner', async () => {
    const { handoffId } = await request(RequestType.Collaboration);
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    const committed = await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(committed).toMatchObject({ status: 'completed', holder: 'alice' });
    expect((await ok(write(bob))).entry.sequenceNumber).toBe(3);
    expect((await ok(write(alice))).entry.sequenceNumber).toBe(4);
    expect(await ok(world.handoffs.getSession(bob, KEY))).toMatchObject({
      owner: 'alice',
      collaborators: ['bob'],
    });
    expect(
      await code(
        world.handoffs.requestHandoff(bob, {
          sessionKey: KEY,
          targetAgent: 'carol',
          requestType: 'full_handoff',
        }),
      ),
    ).toBe('FORBIDDEN');
  });
});

describe('context_transfer', () => {
  it('gives the target what was frozen, to read', async () => {
    const { handoffId } = await request(RequestType.ContextTransfer);
    await ok(write(alice, 'after the freeze'));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(await numbers(bob)).toEqual([1, 2]);
    expect(await code(write(bob))).toBe('FORBIDDEN');
    expect((await ok(write(alice))).entry.sequenceNumber).toBe(4);
  });
});

describe('autoCommit', () => {
  it.each([RequestType.FullHandoff, RequestType.Collaboration, RequestType.ContextTransfer])(
    'commits %s with the answer',
    async (requestType) => {
      const { handoffId } = await request(requestType, { autoCommit: true });
      const accepted = await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
      expect(accepted).toMatchObject({ status: 'completed', phase: 'committed', autoCommit: true });
      expect(await code(write(bob))).toBe(requestType === RequestType.ContextTransfer ? 'FORBIDDEN' : 'ok');
      const receipt = await ok(world.handoffs.getReceipt(alice, handoffId));
      expect(receipt).toMatchObject({
        outcome: 'RESOLVED',
        outcome_positive: true,
        holder: requestType === RequestType.FullHandoff ? 'bob' : 'alice',
        commitment: { commitment_id: 'auto-commit:h1', action: 'handoff.accepted', by: 'alice' },
      });
    },
  );

  it('closes the session when the target declines', async () => {
    const { handoffId } = await request(RequestType.FullHandoff, { autoCommit: true });
    expect(await ok(world.handoffs.declineHandoff(bob, { handoffId }))).toMatchObject({ status: 'failed' });
    const receipt = await ok(world.handoffs.getReceipt(bob, handoffId));
    expect(receipt).toMatchObject({ outcome_positive: false, commitment: { action: 'handoff.declined' } });
    await ok(write(alice));
  });
});

/** Inbox, outbox and working sessions: complete over pages, and only one's own. */
import { RequestType } from '@handover/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { code, ok } from '../kit/outcomes.js';
import { agent, alice, bob, carol, mallory } from '../kit/principals.js';
import { START, send } from './macp.js';
import { createWorld, type World } from './world.js';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const register = (sessionKey: string) =>
  ok(world.handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }));
const request = (sessionKey: string, targetAgent = 'bob') =>
  ok(world.handoffs.requestHandoff(alice, { sessionKey, targetAgent, requestType: RequestType.FullHandoff }));

describe('handoffs', () => {
  it('are listed for both sides, newest first within a page', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      world.clock.now += 1_000;
      await register(`k${i}`);
      made.unshift((await request(`k${i}`)).handoffId);
    }
    const inbox = await ok(world.handoffs.listHandoffs(bob, { box: 'inbox' }));
    expect(inbox.handoffs.map(({ handoffId }) => handoffId)).toEqual(made);
    expect(inbox).not.toHaveProperty('nextCursor');
    expect((await ok(world.handoffs.listHandoffs(alice, { box: 'outbox' }))).handoffs).toHaveLength(5);
    for (const [who, box] of [
      [alice, 'inbox'],
      [bob, 'outbox'],
      [mallory, 'all'],
    ] as const)
      expect((await ok(world.handoffs.listHandoffs(who, { box }))).handoffs).toEqual([]);
  });

  it('come in pages, each once', async () => {
    for (let i = 0; i < 25; i++) {
      await register(`k${i}`);
      await request(`k${i}`);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ok(
        world.handoffs.listHandoffs(bob, { box: 'inbox', limit: 7, ...(cursor && { cursor }) }),
      );
      expect(page.handoffs.length).toBeLessThanOrEqual(7);
      seen.push(...page.handoffs.map(({ handoffId }) => handoffId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
    for (const wrong of ['x', '', 'MTphYmM!', cursor ?? '1:'])
      expect(await code(world.handoffs.listHandoffs(bob, { box: 'inbox', cursor: wrong }))).toBe(
        'VALIDATION_ERROR',
      );
  });

  it('are found by status, and say what each side can do next', async () => {
    for (const key of ['a', 'b', 'c']) await register(key);
    const [pending, accepted, declined] = [await request('a'), await request('b'), await request('c')];
    await ok(world.handoffs.acceptHandoff(bob, { handoffId: accepted.handoffId }));
    await ok(world.handoffs.commitHandoff(alice, { handoffId: accepted.handoffId }));
    await ok(world.handoffs.declineHandoff(bob, { handoffId: declined.handoffId }));
    const idsOf = async (status: 'pending' | 'completed' | 'failed') =>
      (await ok(world.handoffs.listHandoffs(bob, { box: 'all', status }))).handoffs.map(
        ({ handoffId }) => handoffId,
      );
    expect(await idsOf('pending')).toEqual([pending.handoffId]);
    expect(await idsOf('completed')).toEqual([accepted.handoffId]);
    expect(await idsOf('failed')).toEqual([declined.handoffId]);
    const say = async (who: typeof alice, { handoffId }: typeof pending) =>
      (await ok(world.handoffs.getHandoff(who, handoffId))).instruction;
    expect(await say(bob, pending)).toBe(
      'resume with its handoffId shows it; with accept: true as well you accept it, which is final. declineHandoff refuses it.',
    );
    expect(await say(alice, pending)).toContain('It is final when bob accepts; you need not wait.');
    expect(await say(bob, accepted)).toBe('The session is yours now; continue with updateContext.');
    expect(await say(alice, declined)).toBe(
      'bob declined; the work stays with you. handOff offers it again, to the same agent or another one.',
    );
    await ok(world.handoffs.cancelHandoff(alice, pending));
    const two = {
      sessionKey: 'a',
      targetAgent: 'bob',
      requestType: RequestType.FullHandoff,
      autoCommit: false,
    };
    const slow = await ok(world.handoffs.requestHandoff(alice, two));
    expect(await say(bob, slow)).toContain('with accept: true as well you accept it. declineHandoff');
    expect(await say(alice, slow)).toContain('When bob has accepted, commitHandoff makes it final.');
    await ok(world.handoffs.declineHandoff(bob, slow));
    expect(await say(alice, slow)).toContain('cancelHandoff closes this offer');
  });

  it('show each offer of a session to whom it was made', async () => {
    const sessionId = 'session-with-two-offers-';
    await send(world, alice, sessionId, 'SessionStart', {
      ...START,
      participants: ['alice', 'bob', 'carol'],
    });
    const offer = (handoffId: string, targetParticipant: string) =>
      send(world, alice, sessionId, 'HandoffOffer', { handoffId, targetParticipant, scope: 's', reason: '' });
    await offer('h1', 'bob');
    await ok(world.handoffs.declineHandoff(bob, { handoffId: `${sessionId}:h1` }));
    await offer('h2', 'carol');
    const inbox = async (who: typeof bob) =>
      (await ok(world.handoffs.listHandoffs(who, { box: 'inbox' }))).handoffs.map(({ offerId, phase }) => [
        offerId,
        phase,
      ]);
    expect(await inbox(bob)).toEqual([['h1', 'declined']]);
    expect(await inbox(carol)).toEqual([['h2', 'offered']]);
    expect((await ok(world.handoffs.listHandoffs(alice, { box: 'outbox' }))).handoffs).toHaveLength(2);
    // A participant may read what the session says, as over MACP; an observer, too.
    expect(await code(world.handoffs.getHandoff(bob, `${sessionId}:h2`))).toBe('ok');
    expect(await code(world.handoffs.getHandoff(agent('eve', { isObserver: true }), `${sessionId}:h2`))).toBe(
      'ok',
    );
  });
});

describe('working sessions', () => {
  it('are listed for those who may read them', async () => {
    await register('mine');
    await register('given');
    const { handoffId } = await request('given');
    const keys = async (who: typeof alice, more: object = {}) =>
      (await ok(world.handoffs.listSessions(who, { activeOnly: true, ...more }))).sessions.map(
        ({ sessionKey }) => sessionKey,
      );
    expect(await keys(alice)).toEqual(['given', 'mine']);
    expect(await keys(bob)).toEqual([]);
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(await keys(bob)).toEqual(['given']);
    expect(await keys(alice)).toEqual(['given', 'mine']);
    expect(await keys(alice, { agent: 'bob' })).toEqual(['given']);
    expect(await keys(mallory, { agent: 'alice' })).toEqual([]);
  });

  it('come in pages', async () => {
    for (let i = 0; i < 12; i++) await register(`k${String(i).padStart(2, '0')}`);
    const first = await ok(world.handoffs.listSessions(alice, { activeOnly: true, limit: 8 }));
    const rest = await ok(
      world.handoffs.listSessions(alice, {
        activeOnly: true,
        limit: 8,
        ...(first.nextCursor && { cursor: first.nextCursor }),
      }),
    );
    expect([...first.sessions, ...rest.sessions].map(({ sessionKey }) => sessionKey)).toHaveLength(12);
    expect(rest).not.toHaveProperty('nextCursor');
  });
});

describe('context entries', () => {
  it('come in pages by number, whatever else is in the log, and never by more than fits', async () => {
    await register('k');
    const add = (content: string) =>
      ok(world.handoffs.updateContext(alice, { sessionKey: 'k', contextType: 'message', content }));
    for (let i = 1; i <= 30; i++) {
      await add(`text ${i}`);
      if (i % 3 === 0) {
        const { handoffId } = await request('k');
        await ok(world.handoffs.cancelHandoff(alice, { handoffId }));
      }
    }
    const seen: number[] = [];
    for (let more = true; more; ) {
      const page = await ok(
        world.handoffs.readContext(alice, { sessionKey: 'k', afterSequence: seen.length, limit: 7 }),
      );
      expect(page.entries.length).toBeLessThanOrEqual(7);
      seen.push(...page.entries.map(({ sequenceNumber }) => sequenceNumber));
      more = page.hasMore;
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    const beyond = await ok(world.handoffs.readContext(alice, { sessionKey: 'k', afterSequence: 99 }));
    expect(beyond).toEqual({ entries: [], hasMore: false });
    for (let i = 0; i < 3; i++) await add('x'.repeat(200_000));
    const large = await ok(world.handoffs.readContext(alice, { sessionKey: 'k', afterSequence: 30 }));
    expect(large).toMatchObject({ entries: [{ sequenceNumber: 31 }, { sequenceNumber: 32 }], hasMore: true });
  });
});

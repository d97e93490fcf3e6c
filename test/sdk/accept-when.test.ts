/** A target that decides by a predicate waits for the context that belongs to the offer. */
import {
  type AcceptOptions,
  acceptWhen,
  buildHandoffPolicy,
  type ContextWait,
  contextText,
  HandoffSession,
  newSessionId,
  type OfferedHandoff,
  Participant,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { answerOf, contextsIn, sendText } from './support/offers.js';
import { useServer } from './support/server.js';

const START = { intent: 'x', participants: ['bob', 'carol'], ttlMs: 600_000 };

describe('acceptWhen', () => {
  const server = useServer();

  /** Bob's agent, and what his predicate has seen. */
  function serving(says: boolean, options: AcceptOptions = {}, policyVersion?: string) {
    const owner = new HandoffSession(server.as('alice'), { sessionId: newSessionId(), policyVersion });
    const seen: OfferedHandoff[] = [];
    const bob = new Participant({
      participantId: 'bob',
      sessionId: owner.sessionId,
      client: server.as('bob'),
      policyVersion,
    }).use(acceptWhen((offered) => seen.push(offered) > 0 && says, options));
    return { owner, bob, seen };
  }

  it('sees what was sent right after the offer, or says that it has stopped waiting', async () => {
    const alice = server.as('alice');
    const client = server.as('bob');
    const seen = new Map<string, OfferedHandoff>();
    const handOver = async (context: ContextWait) => {
      const owner = new HandoffSession(alice);
      await owner.start(START);
      const bob = new Participant({ participantId: 'bob', sessionId: owner.sessionId, client });
      const running = bob
        .use(acceptWhen((offered) => seen.set(owner.sessionId, offered).size > 0, { context }))
        .run();
      await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
      await sendText(owner, 'all quiet');
      await expect.poll(() => answerOf(owner)).toBe('accepted');
      bob.stop();
      await running;
    };
    for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 10 }, () => handOver({})));
    expect(seen.size).toBe(200);
    let uninformed = 0;
    for (const [sessionId, { contexts, waited }] of seen) {
      // As the server has it: what came before the answer, and what came late.
      const { inTime, late } = await contextsIn(alice, sessionId);
      expect([...inTime, ...late]).toEqual(['all quiet']);
      expect(waited).toBe(contexts.length === 0 ? 'stopped' : 'context');
      expect(contexts.map(contextText)).toEqual(inTime.slice(0, contexts.length));
      if (contexts.length < inTime.length || late.length > 0) uninformed++;
    }
    expect(uninformed).toBeLessThanOrEqual(10);
    seen.clear();
    for (let n = 0; n < 10; n++) await handOver({ firstMs: 0, quietMs: 0 });
    // Who does not wait decides blindly, and says so.
    const blind = [...seen.values()].filter(({ contexts }) => contexts.length === 0);
    expect(blind.length).toBeGreaterThan(0);
    expect(blind.map(({ waited }) => waited)).toEqual(blind.map(() => 'stopped'));
  });

  it('has stopped waiting when none comes, and does not wait longer than a policy for the silent', async () => {
    const policy = buildHandoffPolicy('policy.sdk.accept-when', '', {
      acceptance: { implicitAcceptTimeoutMs: 2_000 },
    });
    await server.as('alice').registerPolicy(policy);
    const { owner, bob, seen } = serving(false, { context: { firstMs: 60_000 } }, policy.policyId);
    await owner.start(START);
    const running = bob.run();
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await expect.poll(() => answerOf(owner)).toBe('declined');
    expect(seen).toMatchObject([{ waited: 'stopped', contexts: [] }]);
    await owner.cancel();
    expect(await running).toEqual({ state: 'CANCELLED' });
  });

  it('asks again with new context when the predicate has left the offer', async () => {
    const { owner, bob, seen } = serving(false, { otherwise: 'ignore', context: { firstMs: 0, quietMs: 0 } });
    await owner.start(START);
    const running = bob.run();
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await expect.poll(() => seen.length).toBe(1);
    await sendText(owner, 'please');
    await expect.poll(() => seen.length).toBe(2);
    expect(await answerOf(owner)).toBeUndefined();
    expect(seen.map(({ waited }) => waited)).toEqual(['stopped', 'context']);
    bob.stop();
    await running;
  });

  it('says nothing any more when the session has ended meanwhile', async () => {
    const { owner, bob, seen } = serving(true, { context: { firstMs: 200 } });
    await owner.start(START);
    const running = bob.run();
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await expect.poll(() => bob.projection.activeOffer()).toBeDefined();
    await owner.cancel();
    expect(await running).toEqual({ state: 'CANCELLED' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(seen).toEqual([]);
  });

  it('does not lose the error of its predicate', async () => {
    const { owner } = serving(true);
    await owner.start(START);
    const bob = new Participant({
      participantId: 'bob',
      sessionId: owner.sessionId,
      client: server.as('bob'),
    });
    const running = bob
      .use(acceptWhen(() => Promise.reject(new Error('my mistake')), { context: { firstMs: 50 } }))
      .run();
    running.catch(() => undefined);
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await expect(running).rejects.toThrow('my mistake');
  });

  it('checks its options', () => {
    expect(() => acceptWhen(() => true, { context: { quietMs: -1 } })).toThrow('context.quietMs');
    expect(() => acceptWhen(() => true, { otherwise: 'wait' as 'ignore' })).toThrow('otherwise');
  });
});

/** Many at once: numbers stay dense, and of two answers to one offer exactly one counts, at both doors. */
import { RequestType } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { codeOf, ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { decline, expectSound, history } from './macp.js';
import { createWorld } from './world.js';

const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const settle = (turns: number) =>
  range(turns).reduce((wait) => wait.then(() => undefined), Promise.resolve());

describe('200 updates at the same moment', () => {
  it('are all stored, with the numbers 1 to 200', async () => {
    const world = createWorld();
    await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
    const written = await Promise.all(
      range(200).map((i) =>
        ok(
          world.handoffs.updateContext(alice, {
            sessionKey: 'k',
            contextType: 'message',
            content: `text ${i}`,
          }),
        ),
      ),
    );
    const numbers = written.map(({ entry }) => entry.sequenceNumber).toSorted((a, b) => a - b);
    expect(numbers).toEqual(range(200).map((i) => i + 1));
    const { entries, hasMore } = await ok(
      world.handoffs.readContext(alice, { sessionKey: 'k', afterSequence: 0 }),
    );
    expect(entries.map(({ sequenceNumber }) => sequenceNumber)).toEqual(numbers);
    expect(hasMore).toBe(false);
    for (const { entry } of written)
      expect(entries[entry.sequenceNumber - 1]).toMatchObject({ id: entry.id, author: 'alice' });
    expect(new Set(entries.map(({ content }) => content)).size).toBe(200);
    await expectSound(world);
  });

  it('let exactly one of those win that expect the same number', async () => {
    const world = createWorld();
    await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
    const args = { sessionKey: 'k', contextType: 'message', content: 'x', expectedSequence: 0 };
    const outcomes = await Promise.all(range(50).map(() => world.handoffs.updateContext(alice, args)));
    expect(outcomes.map(codeOf).filter((code) => code === 'ok')).toHaveLength(1);
    const refused = outcomes.filter((outcome) => 'rejection' in outcome);
    for (const outcome of refused)
      expect(outcome).toMatchObject({ rejection: { code: 'CONFLICT', details: { currentSequence: 1 } } });
  });
});

describe('1,000 races', () => {
  it('between an acceptance by the service and a decline over MACP have one winner, and one story', async () => {
    const world = createWorld();
    const wins = { accepted: 0, declined: 0 };
    for (const i of range(1_000)) {
      const sessionKey = `work ${i}`;
      await ok(world.handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }));
      const request = {
        sessionKey,
        targetAgent: 'bob',
        requestType: RequestType.FullHandoff,
        autoCommit: i % 2 === 0,
      };
      const { handoffId, macpSessionId } = await ok(world.handoffs.requestHandoff(alice, request));
      // The service takes a few turns more to get to the engine: start them apart, now one first and now the other.
      const inService = settle((i * 7) % 11).then(() => world.handoffs.acceptHandoff(bob, { handoffId }));
      const overMacp = settle((i * 5) % 13).then(() => decline(world, bob, macpSessionId));
      const [handoffs, ack] = await Promise.all([inService, overMacp]);
      const accepted = codeOf(handoffs) === 'ok';
      expect(ack.ok).toBe(!accepted);
      if (!accepted) expect(codeOf(handoffs)).toBe('CONFLICT');
      wins[accepted ? 'accepted' : 'declined'] += 1;
      const answers = (await history(world, macpSessionId)).filter(({ type }) => /Accept|Decline/.test(type));
      expect(answers.map(({ type }) => type)).toEqual([accepted ? 'HandoffAccept' : 'HandoffDecline']);
      const phase = !accepted ? 'declined' : request.autoCommit ? 'committed' : 'accepted';
      for (const who of [alice, bob])
        expect(await ok(world.handoffs.getHandoff(who, handoffId))).toMatchObject({ phase });
      const owner = phase === 'committed' ? 'bob' : 'alice';
      expect(await ok(world.handoffs.getSession(alice, sessionKey))).toMatchObject({ owner });
    }
    expect(wins.accepted).toBeGreaterThan(50);
    expect(wins.declined).toBeGreaterThan(50);
    await expectSound(world);
  });
});

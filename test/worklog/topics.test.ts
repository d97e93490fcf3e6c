/** Whose inboxes a change of a working session is about (assistants:8). */
import { expect, it } from 'vitest';
import { agentTopic, topicsOf } from '../../packages/server/src/doors/mcp/changes/topics.js';
import { worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob, carol } from '../kit/principals.js';
import { createWorld } from './world.js';

it('assistants:8 the taker, the old owner and the target hear of parking, pick-up, take-over and closing', async () => {
  const { handoffs, engine, clock } = createWorld();
  const names = ['alice', 'bob', 'carol', 'dan'];
  const heard = async (sessionKey: string) => {
    const stream = worklogRef('default', sessionKey);
    const topics = await topicsOf(engine, { stream } as never);
    return names.filter((name) => topics.includes(agentTopic(name)));
  };
  const park = { requestType: 'full_handoff', until: clock.now + 60_000, by: 'owner' } as const;
  const register = (sessionKey: string) =>
    ok(handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }));

  await register('picked up');
  expect(await heard('picked up')).toEqual(['alice']);
  await ok(handoffs.park(alice, { ...park, sessionKey: 'picked up', takers: ['bob'] }));
  expect(await heard('picked up')).toEqual(['alice', 'bob']);
  await ok(handoffs.pickUp(bob, { sessionKey: 'picked up', anyone: false }));
  expect(await heard('picked up')).toEqual(['alice', 'bob']);

  await register('taken');
  await ok(handoffs.park(alice, { ...park, sessionKey: 'taken', takers: ['bob'] }));
  const policy = { by: 'person', afterSecs: 0 } as const;
  await ok(handoffs.takeOver(carol, { sessionKey: 'taken', policy, lastSignAt: 0 }));
  expect(await heard('taken')).toEqual(['alice', 'bob', 'carol']);

  await register('closed');
  await ok(handoffs.park(alice, { ...park, sessionKey: 'closed', takers: ['bob'] }));
  await ok(handoffs.closeSession(alice, { sessionKey: 'closed', outcome: 'done' }));
  expect(await heard('closed')).toEqual(['alice', 'bob']);
});

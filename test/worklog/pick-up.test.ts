/** What an owner left for others, through the services (assistants:2.2). */
import { HandoffMessageType, type JsonObject } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { envelope } from '../kit/envelopes.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob, carol } from '../kit/principals.js';
import { expectSound, history, START } from './macp.js';
import { createWorld, type World } from './world.js';

const KEY = 'the work';
const DAY = 86_400_000;

async function worldWithWork(): Promise<World> {
  const world = createWorld();
  await ok(world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }));
  await ok(
    world.handoffs.updateContext(alice, { sessionKey: KEY, contextType: 'message', content: 'half done' }),
  );
  return world;
}

const leave = (world: World, taker: string) =>
  ok(
    world.handoffs.park(alice, {
      sessionKey: KEY,
      takers: [taker],
      requestType: 'full_handoff',
      until: world.clock.now + 7 * DAY,
      by: 'owner',
    }),
  );
const pickUp = (world: World, who: typeof bob, more: { anyone?: boolean; idempotencyKey?: string } = {}) =>
  world.handoffs.pickUp(who, { sessionKey: KEY, anyone: true, reason: 'mine now', ...more });

describe('picking up', () => {
  it('is one ordinary session that is over at once, in the owner’s name up to the offer (assistants:K6)', async () => {
    const world = await worldWithWork();
    await leave(world, 'bob');
    world.clock.now += 3 * DAY;
    const made = await ok(pickUp(world, bob));
    expect(made).toMatchObject({
      status: 'completed',
      phase: 'committed',
      from: 'alice',
      to: 'bob',
      holder: 'bob',
    });
    const { macpSessionId: id } = made;
    const entries = await history(world, id);
    expect(
      entries.map(({ type, actor, messageId, facts }) => [type, actor, messageId, facts.implicit]),
    ).toEqual([
      ['SessionStart', 'alice', `standing-start:${id}`, true],
      ['HandoffOffer', 'alice', `standing-offer:${id}`, true],
      ['HandoffContext', 'alice', `standing-package:${id}`, true],
      ['HandoffAccept', 'bob', `accept:${id}`, undefined],
      ['Commitment', 'alice', 'auto-commit:h1', true],
    ]);
    expect(entries[0]?.facts).toMatchObject({ rev: 6, binding: { standing: 3, auto_commit: true } });
    const { state } = (await world.deps.engine.query(sessionRef('default', id))) ?? {};
    expect(state).toMatchObject({ status: 'RESOLVED', activity: [{ participant: 'bob', messages: 1 }] });
    expect(await ok(world.handoffs.getSession(bob, KEY))).toMatchObject({ owner: 'bob' });
    expect(
      await world.handoffs.updateContext(alice, { sessionKey: KEY, contextType: 'message', content: 'x' }),
    ).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    await expectSound(world);
  });

  it('carries what is there when it is picked up', async () => {
    const world = await worldWithWork();
    await leave(world, 'bob');
    await ok(
      world.handoffs.updateContext(alice, { sessionKey: KEY, contextType: 'message', content: 'more' }),
    );
    const { handoffId } = await ok(pickUp(world, bob));
    expect(await ok(world.handoffs.getPackage(bob, { handoffId }))).toMatchObject({
      package: { from: 'alice', to: 'bob', manifest: { lastSequence: 2 } },
    });
  });

  it('is won by one of two who come at once (assistants:K5, assistants:R7)', async () => {
    for (let round = 0; round < 20; round++) {
      const world = await worldWithWork();
      await leave(world, '*');
      const outcomes = await Promise.all([pickUp(world, bob), pickUp(world, carol)]);
      const refused = outcomes.flatMap((outcome) => ('rejection' in outcome ? [outcome.rejection] : []));
      expect(refused).toMatchObject([{ code: 'CONFLICT', details: { sessionKey: KEY, owner: 'bob' } }]);
      await expectSound(world);
    }
  });

  it('of what is not for the caller looks as if there were nothing', async () => {
    const world = await worldWithWork();
    const nothing = { rejection: { code: 'SESSION_NOT_FOUND', details: { sessionKey: KEY } } };
    expect(await pickUp(world, carol)).toMatchObject(nothing);
    await leave(world, 'bob');
    expect(await pickUp(world, carol)).toMatchObject(nothing);
    await leave(world, '*');
    expect(await pickUp(world, carol, { anyone: false })).toMatchObject(nothing);
    expect(await pickUp(world, carol)).toMatchObject({ value: { holder: 'carol' } });
  });

  it('is too late when the time is over, and when the owner went on (assistants:K4)', async () => {
    const world = await worldWithWork();
    await leave(world, 'bob');
    world.clock.now += 7 * DAY + 1;
    expect(await pickUp(world, bob)).toMatchObject({ rejection: { code: 'CONFLICT' } });
    expect(await pickUp(world, carol)).toMatchObject({ rejection: { code: 'SESSION_NOT_FOUND' } });
    await leave(world, '*');
    await ok(
      world.handoffs.updateContext(alice, { sessionKey: KEY, contextType: 'message', content: 'back' }),
    );
    expect(await pickUp(world, bob)).toMatchObject({ rejection: { code: 'SESSION_NOT_FOUND' } });
  });

  it('serves when the offer beside it has expired, not before (assistants:K3)', async () => {
    const world = await worldWithWork();
    await leave(world, 'bob');
    const offer = { sessionKey: KEY, targetAgent: 'bob', requestType: 'full_handoff' } as const;
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, offer));
    expect(await pickUp(world, bob)).toMatchObject({
      rejection: { code: 'CONFLICT', details: { handoffId } },
    });
    world.clock.now += 3 * DAY;
    expect(await ok(world.handoffs.getHandoff(bob, handoffId))).toMatchObject({ phase: 'expired' });
    const { macpSessionId } = await ok(pickUp(world, bob));
    const commitments = (await history(world, macpSessionId)).filter(({ type }) => type === 'Commitment');
    expect(commitments).toHaveLength(1);
    await expectSound(world);
  });

  it('is answered again under the same key', async () => {
    const world = await worldWithWork();
    await leave(world, 'bob');
    const first = await ok(pickUp(world, bob, { idempotencyKey: 'k' }));
    expect(await pickUp(world, bob, { idempotencyKey: 'k' })).toMatchObject({
      replayed: true,
      value: { handoffId: first.handoffId },
    });
  });
});

describe('ids that the runtime writes', () => {
  const PREFIXES = [
    'standing-start:',
    'standing-offer:',
    'standing-package:',
    'takeover-start:',
    'takeover-offer:',
  ];
  const MORE = ['takeover-package:', 'takeover-accept:', 'takeover-commit:'];
  const refused = { error: { code: 'INVALID_ENVELOPE' } };

  it.each([...PREFIXES, ...MORE])('are refused from clients: %s', async (prefix) => {
    const world = await worldWithWork();
    const id = 'a-session-of-a-client-1';
    const start = (messageId: string) => ({ ...envelope(id, 'alice', 'SessionStart', START), messageId });
    expect(await world.services.send.sendAs(alice, start(prefix + id))).toMatchObject(refused);
    await world.services.send.sendAs(alice, start('m1'));
    const offer = { handoffId: 'h1', targetParticipant: 'bob', scope: '', reason: '' } satisfies JsonObject;
    const sent = { ...envelope(id, 'alice', HandoffMessageType.Offer, offer), messageId: prefix + id };
    expect(await world.services.send.sendAs(alice, sent)).toMatchObject(refused);
  });
});

describe('closing, through the services', () => {
  it('says what happened already, and what stands in the way (assistants:K1)', async () => {
    const world = await worldWithWork();
    const close = () => world.handoffs.closeSession(alice, { sessionKey: KEY, outcome: 'done' });
    expect(await close()).toMatchObject({ value: { status: 'completed' } });
    expect(await close()).toMatchObject({ replayed: true });
    const write = { sessionKey: KEY, contextType: 'message', content: 'x' };
    expect(await world.handoffs.updateContext(alice, write)).toMatchObject({
      rejection: { code: 'SESSION_EXPIRED', details: { sessionKey: KEY, currentStatus: 'completed' } },
    });
    expect(await world.handoffs.reopenSession(alice, KEY)).toMatchObject({ value: { status: 'active' } });
    expect(await world.handoffs.updateContext(alice, write)).toMatchObject({
      value: { entry: { sequenceNumber: 2 } },
    });
    await expectSound(world);
  });
});

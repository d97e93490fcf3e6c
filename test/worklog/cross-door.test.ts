/** One handoff, two doors: whatever was begun with the service can be finished over MACP, and the reverse. */
import { RequestType } from '@handover/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { code, ok } from '../kit/outcomes.js';
import { alice, bob, mallory } from '../kit/principals.js';
import { accept, commit, decline, expectSound, history, START, send } from './macp.js';
import { createWorld, type World } from './world.js';

const KEY = 'the work';
const SESSION = 'session-made-over-macp--';
let world: World;

beforeEach(async () => {
  world = createWorld();
  await ok(world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }));
});

const request = () =>
  ok(
    world.handoffs.requestHandoff(alice, {
      sessionKey: KEY,
      targetAgent: 'bob',
      requestType: RequestType.FullHandoff,
      autoCommit: false,
    }),
  );
const write = (who: typeof alice) =>
  world.handoffs.updateContext(who, { sessionKey: KEY, contextType: 'message', content: 'x' });

describe('offered with the service', () => {
  it('is a session like any other over MACP', async () => {
    const { macpSessionId } = await request();
    const metadata = await world.services.sessions.get(bob, macpSessionId);
    expect(metadata).toMatchObject({
      value: {
        initiator: 'alice',
        participants: ['alice', 'bob'],
        contextId: KEY,
        state: 'OPEN',
        modeVersion: '1.0.0',
        configurationVersion: 'config.default',
        policyVersion: 'policy.default',
        expiresAtUnixMs: world.clock.now + 86_400_000,
      },
    });
    expect((await history(world, macpSessionId)).map(({ type }) => type)).toEqual([
      'SessionStart',
      'HandoffOffer',
      'HandoffContext',
    ]);
  });

  it('can be accepted and committed over MACP, which moves the work', async () => {
    const { macpSessionId, handoffId } = await request();
    expect(await accept(world, bob, macpSessionId)).toMatchObject({ ok: true, sessionState: 'OPEN' });
    expect(await ok(world.handoffs.getHandoff(alice, handoffId))).toMatchObject({
      phase: 'accepted',
      answerReason: 'over MACP',
    });
    expect(await commit(world, alice, macpSessionId)).toMatchObject({ ok: true, sessionState: 'RESOLVED' });
    expect(await code(write(alice))).toBe('FORBIDDEN');
    expect(await code(write(bob))).toBe('ok');
    expect(await ok(world.handoffs.getHandoff(alice, handoffId))).toMatchObject({
      status: 'completed',
      holder: 'bob',
    });
    await expectSound(world);
  });

  it('can be declined or cancelled over MACP, which frees the work', async () => {
    const first = await request();
    expect(await decline(world, bob, first.macpSessionId)).toMatchObject({ ok: true });
    expect(await code(world.handoffs.acceptHandoff(bob, { handoffId: first.handoffId }))).toBe('CONFLICT');
    const second = await request();
    await world.services.sessions.control(alice, second.macpSessionId, 'cancel', 'changed my mind');
    expect(await ok(world.handoffs.getHandoff(bob, second.handoffId))).toMatchObject({
      phase: 'cancelled',
      status: 'failed',
    });
    await request();
    await expectSound(world);
  });

  it('runs out of time at both doors', async () => {
    const { macpSessionId, handoffId } = await request();
    world.clock.now += 86_400_001;
    expect(await ok(world.handoffs.getHandoff(bob, handoffId))).toMatchObject({
      phase: 'expired',
      status: 'failed',
    });
    expect(await code(world.handoffs.acceptHandoff(bob, { handoffId }))).toBe('CONFLICT');
    expect(await accept(world, bob, macpSessionId)).toMatchObject({ error: { code: 'SESSION_NOT_OPEN' } });
    const renewed = await request();
    const metadata = await world.services.sessions.get(bob, renewed.macpSessionId);
    expect(metadata).toMatchObject({ value: { contextId: KEY } });
    await expectSound(world);
  });
});

describe('offered over MACP', () => {
  const handoffId = `${SESSION}:task%3A1%2F%C3%A9`;
  const offerId = 'task:1/é';

  beforeEach(async () => {
    expect(await send(world, alice, SESSION, 'SessionStart', START)).toMatchObject({ ok: true });
    const offer = { handoffId: offerId, targetParticipant: 'bob', scope: 'the task', reason: 'holidays' };
    expect(await send(world, alice, SESSION, 'HandoffOffer', offer)).toMatchObject({ ok: true });
  });

  it('is in the inbox, without a working session', async () => {
    const { handoffs } = await ok(world.handoffs.listHandoffs(bob, { box: 'inbox' }));
    expect(handoffs).toMatchObject([
      {
        handoffId,
        macpSessionId: SESSION,
        offerId,
        from: 'alice',
        to: 'bob',
        scope: 'the task',
        reason: 'holidays',
      },
    ]);
    expect(handoffs[0]).not.toHaveProperty('sessionKey');
    expect(handoffs[0]).not.toHaveProperty('packageUpTo');
  });

  it('is found by its id raw, encoded once more, and not by others', async () => {
    for (const written of [handoffId, encodeURIComponent(handoffId), `${SESSION}:${offerId}`])
      expect((await ok(world.handoffs.getHandoff(bob, written))).handoffId).toBe(handoffId);
    const unknown = await world.handoffs.getHandoff(mallory, `${SESSION}:other`);
    for (const written of [handoffId, 'nonsense', ':', '%', `${SESSION}:`]) {
      const strange = await world.handoffs.getHandoff(mallory, written);
      expect(strange).toEqual(JSON.parse(JSON.stringify(unknown).replace(`${SESSION}:other`, written)));
    }
  });

  it('can be accepted and committed with the service', async () => {
    await ok(
      world.handoffs.sendHandoffContext(alice, {
        handoffId,
        contentType: 'text/plain',
        content: 'aGVsbG8=',
        encoding: 'base64',
      }),
    );
    expect(await ok(world.handoffs.acceptHandoff(bob, { handoffId }))).toMatchObject({
      phase: 'accepted',
      contexts: 1,
    });
    await ok(
      world.handoffs.sendHandoffContext(alice, { handoffId, contentType: 'text/plain', content: 'late' }),
    );
    const done = await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(done).toMatchObject({ phase: 'committed', holder: 'bob', contexts: 1, lateContexts: 1 });
    expect((await history(world, SESSION)).map(({ type }) => type)).toEqual([
      ...['SessionStart', 'HandoffOffer', 'HandoffContext', 'HandoffAccept', 'HandoffContext', 'Commitment'],
    ]);
    expect(await ok(world.handoffs.getReceipt(bob, handoffId))).toMatchObject({
      holder: 'bob',
      offer: { scope: 'the task' },
    });
    expect(await ok(world.handoffs.getPackage(bob, { handoffId }))).toMatchObject({
      package: null,
      attachments: [
        { attachment: 1, late: false },
        { attachment: 2, late: true },
      ],
    });
    await expectSound(world);
  });

  it('follows the protocol in who may do what', async () => {
    expect(await code(world.handoffs.acceptHandoff(alice, { handoffId }))).toBe('FORBIDDEN');
    expect(await code(world.handoffs.commitHandoff(bob, { handoffId }))).toBe('FORBIDDEN');
    expect(await code(world.handoffs.cancelHandoff(bob, { handoffId }))).toBe('FORBIDDEN');
    expect(await code(world.handoffs.commitHandoff(alice, { handoffId }))).toBe('CONFLICT');
    for (const move of ['acceptHandoff', 'declineHandoff', 'commitHandoff', 'cancelHandoff'] as const)
      expect(await code(world.handoffs[move](mallory, { handoffId }))).toBe('HANDOFF_NOT_FOUND');
    expect(await code(world.handoffs.getReceipt(bob, handoffId))).toBe('CONFLICT');
  });

  it('says why a Commitment does not fit', async () => {
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(
      await world.handoffs.commitHandoff(alice, { handoffId, outcomePositive: false, action: 'x' }),
    ).toMatchObject({
      rejection: { code: 'VALIDATION_ERROR', message: expect.stringContaining('was accepted') },
    });
  });
});

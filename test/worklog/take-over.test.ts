/** Work that is taken over from a silent owner, through the services (assistants:2.3). */
import { makeReceipt, OPERATOR, verifyReceipt } from '@handover/core';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import { verifySignature } from '../../packages/server/src/keys/ed25519.js';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { ok } from '../kit/outcomes.js';
import { agent, alice, bob, carol } from '../kit/principals.js';
import { expectSound, history } from './macp.js';
import { createWorld, type World } from './world.js';

const KEY = 'the work';
const SECOND = 1_000;
const SILENT = { by: 'silent', afterSecs: 600 } as const;
const NOW = { by: 'person', afterSecs: 0 } as const;

async function worldWithWork(): Promise<World> {
  const world = createWorld();
  await ok(world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }));
  return world;
}

const write = (world: World, who: typeof alice) =>
  world.handoffs.updateContext(who, { sessionKey: KEY, contextType: 'message', content: 'text' });
const take = (world: World, who: typeof bob, more: { lastSignAt?: number } = {}) =>
  world.handoffs.takeOver(who, { sessionKey: KEY, policy: SILENT, lastSignAt: 0, ...more });
const offer = (world: World, targetAgent: string) =>
  ok(
    world.handoffs.requestHandoff(alice, {
      sessionKey: KEY,
      targetAgent,
      requestType: 'full_handoff',
      autoCommit: false,
    }),
  );

describe('taking over', () => {
  it('is forbidden before the silence was long enough, and says from when on (assistants:O1, assistants:O2)', async () => {
    const world = await worldWithWork();
    world.clock.now += 300 * SECOND;
    await ok(write(world, alice));
    const possibleAt = new Date(world.clock.now + 600 * SECOND).toISOString();
    world.clock.now += 599 * SECOND;
    expect(await take(world, bob)).toMatchObject({
      rejection: { code: 'FORBIDDEN', details: { sessionKey: KEY, possibleAt } },
    });
    world.clock.now += 2 * SECOND;
    expect(await take(world, bob, { lastSignAt: world.clock.now - SECOND })).toMatchObject({
      rejection: { code: 'FORBIDDEN' },
    });
    expect(await take(world, bob)).toMatchObject({ value: { holder: 'bob', phase: 'committed' } });
    expect(await write(world, bob)).toMatchObject({ value: { session: { owner: 'bob' } } });
  });

  it('is the operator’s act, never the silent owner’s (assistants:O5)', async () => {
    const world = await worldWithWork();
    const since = new Date(world.clock.now).toISOString();
    world.clock.now += 600 * SECOND;
    const made = await ok(take(world, bob));
    expect(made).toMatchObject({ from: 'alice', authority: 'operator', to: 'bob', implicit: false });
    const { macpSessionId: id, handoffId } = made;
    const entries = await history(world, id);
    expect(
      entries.map(({ type, actor, messageId, facts }) => [type, actor, messageId, facts.implicit]),
    ).toEqual([
      ['SessionStart', 'operator', `takeover-start:${id}`, undefined],
      ['HandoffOffer', 'operator', `takeover-offer:${id}`, undefined],
      ['HandoffContext', 'operator', `takeover-package:${id}`, undefined],
      ['HandoffAccept', 'bob', `accept:${id}`, undefined],
      ['Commitment', 'operator', `takeover-commit:${id}`, undefined],
    ]);
    expect(entries[0]?.facts).toMatchObject({
      rev: 6,
      participants: ['operator', 'alice', 'bob'],
      binding: { authority: 'operator', from: 'alice', policy: 'silent/600' },
    });
    expect(codec.decode('Commitment', entries.at(-1)?.payload ?? new Uint8Array(0))).toMatchObject({
      authorityScope: `full_handoff of ${KEY}`,
      reason: `taken over from alice, silent since ${since}, by policy silent/600`,
    });
    const receipt = await ok(world.handoffs.getReceipt(bob, handoffId));
    expect(receipt).toMatchObject({
      format: 'handover-receipt@2',
      commit: 'on-accept',
      authority: 'operator',
      from: 'alice',
      holder: 'bob',
    });
    expect(verifyReceipt(receipt, { codec, verify: verifySignature, known: [] })).toMatchObject({ ok: true });
    await expectSound(world);
  });

  it('is told to the old owner, which can take it back by the same rule', async () => {
    const world = await worldWithWork();
    world.clock.now += 600 * SECOND;
    const { handoffId } = await ok(take(world, bob));
    expect(await write(world, alice)).toMatchObject({
      rejection: { code: 'FORBIDDEN', details: { owner: 'bob', authority: 'operator', handoffId } },
    });
    expect(await ok(world.handoffs.getHandoff(alice, handoffId))).toMatchObject({
      instruction: 'The session belongs to bob now.',
    });
    expect(await take(world, alice)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    world.clock.now += 600 * SECOND;
    expect(await take(world, alice)).toMatchObject({ value: { holder: 'alice', from: 'bob' } });
    const said = async (who: Principal) => (await ok(world.handoffs.getHandoff(who, handoffId))).instruction;
    expect(await said(alice)).toBe('The session is yours again; continue with updateContext.');
    expect(await said(bob)).toBe('You had it; the session belongs to alice now.');
    await expectSound(world);
  });

  it('ends an accepted offer that its owner does not commit, for the target (assistants:O8)', async () => {
    const world = await worldWithWork();
    const { handoffId, macpSessionId } = await offer(world, 'bob');
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    world.clock.now += 600 * SECOND;
    expect(await take(world, carol)).toMatchObject({
      rejection: { code: 'CONFLICT', details: { handoffId } },
    });
    const made = await ok(take(world, bob));
    expect((await history(world, macpSessionId)).at(-1)).toMatchObject({
      type: 'SessionCancel',
      actor: 'operator',
    });
    const fromLog = makeReceipt(await history(world, made.macpSessionId), codec);
    expect(fromLog).toMatchObject({ body: { from: 'alice', holder: 'bob' } });
    await expectSound(world);
  });

  it('waits for an offer that was not answered yet, unless a person asks', async () => {
    const world = await worldWithWork();
    const { handoffId } = await offer(world, 'carol');
    world.clock.now += 600 * SECOND;
    expect(await take(world, bob)).toMatchObject({ rejection: { code: 'CONFLICT' } });
    const person = agent(OPERATOR);
    const asked = { sessionKey: KEY, taker: 'bob', policy: NOW, lastSignAt: world.clock.now };
    const made = await ok(world.handoffs.takeOver(person, asked));
    expect(made).toMatchObject({ holder: 'bob', implicit: true });
    expect(await ok(world.handoffs.getHandoff(carol, handoffId))).toMatchObject({ phase: 'cancelled' });
    const entries = await history(world, made.macpSessionId);
    expect(entries[3]).toMatchObject({ type: 'HandoffAccept', actor: 'bob', facts: { implicit: true } });
    await expectSound(world);
  });

  it('hardening:H14 what its user does not permit starts no session in the quota, and a full quota asks nobody', async () => {
    const world = createWorld(undefined, { MACP_SESSION_START_LIMIT_PER_MINUTE: '2' });
    await ok(world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }));
    world.clock.now += 600 * SECOND;
    let asked = 0;
    const permit = (answer: 'yes' | 'no') => async () => {
      asked += 1;
      return answer === 'yes' ? undefined : ({ code: 'FORBIDDEN', message: 'no' } as never);
    };
    const ask = (answer: 'yes' | 'no') =>
      world.handoffs.takeOver(bob, {
        sessionKey: KEY,
        policy: SILENT,
        lastSignAt: 0,
        permit: permit(answer),
      });
    for (let n = 0; n < 5; n++) expect(await ask('no')).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    expect(await ok(ask('yes'))).toMatchObject({ holder: 'bob' });
    expect(asked).toBe(6);
    for (const sessionKey of ['b', 'c']) {
      const made = await world.handoffs.registerSession(bob, { sessionKey, agentFrom: 'bob' });
      await world.handoffs.requestHandoff(bob, {
        sessionKey,
        targetAgent: 'carol',
        requestType: 'full_handoff',
      });
      expect(made).toBeDefined();
    }
    expect(await ask('yes')).toMatchObject({ rejection: { code: 'RATE_LIMITED' } });
    expect(asked).toBe(6);
  });

  it('changes nothing when one step of it is refused', async () => {
    const world = await worldWithWork();
    const { macpSessionId, handoffId } = await offer(world, 'bob');
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(await take(world, bob)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    const { state } = (await world.deps.engine.query(sessionRef('default', macpSessionId))) ?? {};
    expect(state?.status).toBe('OPEN');
  });
});

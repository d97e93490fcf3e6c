/** The Commitment that was ordered with the offer: K1 and K2, after every kind of answer. */
import { HANDOFF_MODE, type JsonObject, RequestType, type StreamRef } from '@handover/core';
import type { Store, StreamAppend } from '@handover/engine';
import { createMemoryStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { policiesRef, sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { envelope, envelopeOf } from '../kit/envelopes.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob, carol } from '../kit/principals.js';
import { accept, decline, expectSound, history, START } from './macp.js';
import { createWorld, type World } from './world.js';

const KEY = 'the work';

async function worldWithWork(store?: Store): Promise<World> {
  const world = createWorld(store);
  await ok(world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }));
  return world;
}

const request = (world: World, targetAgent: string, requestType: RequestType) =>
  ok(world.handoffs.requestHandoff(alice, { sessionKey: KEY, targetAgent, requestType, autoCommit: true }));

/** A bound session under a policy by which silence is an answer; the service itself offers under the default policy. */
async function offerUnder(world: World, sessionId: string, rules: JsonObject): Promise<StreamRef<'session'>> {
  const policy = { policyId: 'quiet', mode: HANDOFF_MODE, description: '', schemaVersion: 1, rules };
  const policies = policiesRef('default', false);
  await world.deps.engine.submit({
    agent: 'admin',
    steps: [{ stream: policies, command: { kind: 'register', policy } }],
    bytes: 1,
  });
  const session = sessionRef('default', sessionId);
  const worklog = { tenant: 'default', kind: 'worklog', id: KEY } as const;
  const binding = { worklog: KEY, requestType: 'full_handoff', upTo: 0, autoCommit: true };
  const start = envelope(sessionId, 'alice', 'SessionStart', { ...START, policyVersion: 'quiet' });
  const offer = envelope(sessionId, 'alice', 'HandoffOffer', {
    handoffId: 'h1',
    targetParticipant: 'bob',
    scope: 'all',
    reason: '',
  });
  const wanted = { sessionId, handoffId: 'h1', target: 'bob', requestType: 'full_handoff', upTo: 0 };
  const answer = await world.deps.engine.submit({
    agent: 'alice',
    consult: [policies],
    steps: [
      { stream: worklog, command: { kind: 'requestHandoff', ...wanted, payload: new Uint8Array(0) } },
      { stream: session, command: { kind: 'envelope', envelope: start, binding } },
      { stream: session, command: { kind: 'envelope', envelope: offer } },
    ],
    bytes: 1,
  });
  expect(answer).toMatchObject({ ok: true });
  return session;
}

const typesOf = async (world: World, sessionId: string) =>
  (await history(world, sessionId)).map(({ type, actor, messageId }) => `${type} ${actor} ${messageId}`);

describe('a Commitment ordered with the offer', () => {
  it('follows an acceptance, whichever door that came through, in the same append', async () => {
    const appends: (readonly StreamAppend[])[] = [];
    const inner = createMemoryStore();
    const store: Store = {
      ...inner,
      commit: (asked, decide) =>
        inner.commit(asked, (input) => {
          const decided = decide(input);
          appends.push(decided);
          return decided;
        }),
    };
    const world = await worldWithWork(store);
    const { macpSessionId, handoffId } = await request(world, 'bob', RequestType.FullHandoff);
    const ack = await accept(world, bob, macpSessionId);
    expect(ack).toMatchObject({ ok: true, sessionState: 'RESOLVED' });
    const together = appends
      .at(-1)
      ?.map(({ stream, entries }) => [stream.kind, entries.map(({ type }) => type)]);
    expect(together).toEqual([
      ['session', ['HandoffAccept', 'Commitment']],
      ['worklog', ['HandoffEnded']],
    ]);
    const entries = await history(world, macpSessionId);
    const said = codec.decode('Commitment', entries.at(-1)?.payload ?? new Uint8Array(0));
    expect(said).toEqual({
      commitmentId: 'auto-commit:h1',
      action: 'handoff.accepted',
      authorityScope: 'full_handoff of the work',
      reason: 'bob accepted full_handoff of the work; bob holds it now',
      modeVersion: '1.0.0',
      configurationVersion: 'config.default',
      policyVersion: 'policy.default',
      outcomePositive: true,
    });
    expect(entries.at(-1)).toMatchObject({ actor: 'alice', messageId: 'auto-commit:h1' });
    expect(await ok(world.handoffs.getHandoff(bob, handoffId))).toMatchObject({
      phase: 'committed',
      holder: 'bob',
    });
    await expectSound(world);
  });

  it('does not count as something that its owner said', async () => {
    const world = await worldWithWork();
    const { macpSessionId } = await request(world, 'bob', RequestType.FullHandoff);
    await accept(world, bob, macpSessionId);
    const found = await world.deps.engine.query(sessionRef('default', macpSessionId));
    expect(found?.state.activity).toMatchObject([
      { participant: 'alice', messages: 2 },
      { participant: 'bob', messages: 1 },
    ]);
  });

  it('is negative after a decline', async () => {
    const world = await worldWithWork();
    const { macpSessionId } = await request(world, 'bob', RequestType.Collaboration);
    expect(await decline(world, bob, macpSessionId)).toMatchObject({ ok: true, sessionState: 'RESOLVED' });
    const last = (await history(world, macpSessionId)).at(-1);
    const said = codec.decode('Commitment', last?.payload ?? new Uint8Array(0));
    expect(said).toMatchObject({
      action: 'handoff.declined',
      reason: 'bob declined collaboration of the work; alice keeps it',
      outcomePositive: false,
    });
    await expectSound(world);
  });

  it.each([
    ['accept', { acceptance: { implicit_accept_timeout_ms: 5_000 } }, 'bob'],
    ['decline', { 'x-handover.rules': { implicit_decline_timeout_ms: 5_000 } }, 'alice'],
  ])('follows an implicit %s, at the time of that', async (word, rules, owner) => {
    const world = await worldWithWork();
    const sessionId = `session-with-implicit-${word}`;
    const session = await offerUnder(world, sessionId, rules);
    world.clock.now += 3_600_000 * 2;
    await world.deps.engine.query(session);
    const entries = await history(world, sessionId);
    expect(entries.slice(2).map(({ messageId, at }) => [messageId, at - (entries[0]?.at ?? 0)])).toEqual([
      [`implicit-${word}:h1`, 5_000],
      ['auto-commit:h1', 5_000],
    ]);
    expect(await ok(world.handoffs.getSession(alice, KEY))).toMatchObject({ owner });
    await expectSound(world);
  });

  it('becomes a cancellation when the owner has lost the work meanwhile', async () => {
    const world = await worldWithWork();
    const shared = await request(world, 'carol', RequestType.Collaboration);
    const given = await request(world, 'bob', RequestType.FullHandoff);
    await ok(world.handoffs.acceptHandoff(bob, { handoffId: given.handoffId }));
    const late = await ok(world.handoffs.acceptHandoff(carol, { handoffId: shared.handoffId }));
    expect(late).toMatchObject({ phase: 'cancelled', status: 'failed' });
    expect((await typesOf(world, shared.macpSessionId)).at(-1)).toBe(
      'SessionCancel _runtime runtime:SessionCancel:5',
    );
    expect(await ok(world.handoffs.getSession(bob, KEY))).toMatchObject({ owner: 'bob', collaborators: [] });
    await expectSound(world);
  });

  it('cannot be forged: its ids are the runtime’s', async () => {
    const world = await worldWithWork();
    const { macpSessionId } = await request(world, 'bob', RequestType.FullHandoff);
    const messageId = 'auto-commit:h1';
    const forged = envelopeOf(macpSessionId, '', 'Commitment', new Uint8Array(0), { messageId });
    expect(await world.services.send.sendAs(alice, forged)).toMatchObject({
      error: { code: 'INVALID_ENVELOPE' },
    });
  });
});

describe('without autoCommit', () => {
  it('a Commitment of one who no longer owns the work is denied by policy', async () => {
    const world = await worldWithWork();
    const shared = await ok(
      world.handoffs.requestHandoff(alice, {
        sessionKey: KEY,
        targetAgent: 'carol',
        requestType: 'collaboration',
        autoCommit: false,
      }),
    );
    const given = await request(world, 'bob', RequestType.FullHandoff);
    await ok(world.handoffs.acceptHandoff(carol, { handoffId: shared.handoffId }));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId: given.handoffId }));
    expect(await world.handoffs.commitHandoff(alice, { handoffId: shared.handoffId })).toMatchObject({
      rejection: { code: 'POLICY_DENIED', reasons: ['alice no longer owns the working session'] },
    });
    expect(await ok(world.handoffs.getSession(bob, KEY))).toMatchObject({ collaborators: [] });
    await ok(world.handoffs.cancelHandoff(alice, { handoffId: shared.handoffId }));
    await expectSound(world);
  });
});

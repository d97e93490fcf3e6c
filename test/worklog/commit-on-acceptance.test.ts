/** When a handoff is final (assistants:2.1). Old histories (assistants:A4) are replayed in test/histories. */
import { exportOf, HANDOFF_MODE, type JsonObject, RequestType, verifyStream } from '@handover/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { policiesRef } from '../../packages/server/src/services/stream-refs.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { expectSound, history } from './macp.js';
import { createWorld, type World } from './world.js';

/** The seed's example, as a full handoff. */
const SEED_REQUEST = {
  sessionKey: 'the work',
  requestType: RequestType.FullHandoff,
  requestData: { instructions: 'Continue', priority: 'normal' },
};
const KEY = SEED_REQUEST.sessionKey;
let world: World;

beforeEach(async () => {
  world = createWorld();
  await ok(world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }));
});

const request = (more: { autoCommit?: boolean; policy?: string } = {}) =>
  world.handoffs.requestHandoff(alice, { ...SEED_REQUEST, targetAgent: 'bob', ...more });
const worklogFacts = async () => {
  const ref = { tenant: 'default', kind: 'worklog', id: KEY } as const;
  const entries = await world.store.load(ref, 0, 100);
  return entries.find(({ type }) => type === 'HandoffRequested')?.facts;
};

async function register(policyId: string, rules: JsonObject, mode: string = HANDOFF_MODE): Promise<void> {
  const policy = { policyId, mode, description: '', schemaVersion: 1, rules };
  const step = { stream: policiesRef('default', false), command: { kind: 'register', policy } } as const;
  expect(await world.deps.engine.submit({ agent: 'admin', steps: [step], bytes: 1 })).toMatchObject({
    ok: true,
  });
}

describe('an owner that says nothing', () => {
  it('is not needed any more: the acceptance moves the work (assistants:A1)', async () => {
    const { handoffId, macpSessionId } = await ok(request());
    const accepted = await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(accepted).toMatchObject({ status: 'completed', phase: 'committed', holder: 'bob' });
    const write = { sessionKey: KEY, contextType: 'message', content: 'x' };
    expect(await world.handoffs.updateContext(alice, write)).toMatchObject({
      rejection: { code: 'FORBIDDEN' },
    });
    await ok(world.handoffs.updateContext(bob, write));
    const ref = { tenant: 'default', kind: 'session', id: macpSessionId } as const;
    const entries = await history(world, macpSessionId);
    expect(exportOf(ref, entries, codec).entries).toContainEqual(
      expect.objectContaining({
        facts: expect.objectContaining({ implicit: true, outcome_positive: true }),
        envelope: expect.objectContaining({ message_type: 'Commitment', sender: 'alice' }),
      }),
    );
    expect(verifyStream(ref, entries, codec)).toMatchObject({ ok: true });
    await expectSound(world);
  });

  it('is recorded as one that said nothing, in both streams and in the receipt (assistants:A3)', async () => {
    const { handoffId, macpSessionId } = await ok(request());
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    const rule = { commit: 'on-accept', chosen: 'default' };
    expect(await worklogFacts()).toMatchObject(rule);
    expect((await history(world, macpSessionId))[0]?.facts).toMatchObject({ binding: rule });
    expect(await ok(world.handoffs.getReceipt(bob, handoffId))).toMatchObject({
      format: 'handover-receipt@2',
      ...rule,
    });
  });

  it.each(Object.values(RequestType))('holds for %s', async (requestType) => {
    const { handoffId } = await ok(
      world.handoffs.requestHandoff(alice, { sessionKey: KEY, targetAgent: 'bob', requestType }),
    );
    expect(await ok(world.handoffs.acceptHandoff(bob, { handoffId }))).toMatchObject({ status: 'completed' });
  });
});

describe('an owner that wants to decide again', () => {
  it('commits itself, and has to (assistants:A2)', async () => {
    const { handoffId } = await ok(request({ autoCommit: false }));
    expect(await ok(world.handoffs.acceptHandoff(bob, { handoffId }))).toMatchObject({
      status: 'pending',
      phase: 'accepted',
      holder: 'alice',
    });
    expect(await worklogFacts()).toMatchObject({ commit: 'by-owner', chosen: 'argument' });
    expect(await ok(world.handoffs.commitHandoff(alice, { handoffId }))).toMatchObject({ holder: 'bob' });
    await expectSound(world);
  });

  it('asked before the default changed, and asks the same again', async () => {
    const args = { ...SEED_REQUEST, targetAgent: 'bob', idempotencyKey: 'k' };
    const first = await ok(world.handoffs.requestHandoff(alice, { ...args, autoCommit: false }));
    expect(await world.handoffs.requestHandoff(alice, args)).toMatchObject({
      replayed: true,
      value: { handoffId: first.handoffId, autoCommit: false },
    });
  });
});

describe('a policy', () => {
  it('is bound to the offer', async () => {
    await register('quiet', { acceptance: { implicit_accept_timeout_ms: 5_000 } });
    const { macpSessionId, handoffId } = await ok(request({ policy: 'quiet' }));
    expect((await history(world, macpSessionId))[0]?.facts).toMatchObject({ policy: { policy_id: 'quiet' } });
    world.clock.now += 6_000;
    expect(await ok(world.handoffs.getHandoff(bob, handoffId))).toMatchObject({ phase: 'committed' });
    expect(await ok(world.handoffs.getSession(bob, KEY))).toMatchObject({ owner: 'bob' });
    await expectSound(world);
  });

  it('by which others commit leaves the owner out: false by default, and true is refused', async () => {
    await register('judge', { commitment: { authority: 'designated_role', designated_roles: ['judge'] } });
    expect(await request({ policy: 'judge', autoCommit: true })).toMatchObject({
      rejection: { code: 'VALIDATION_ERROR', details: { issues: [{ field: 'autoCommit' }] } },
    });
    const { handoffId } = await ok(request({ policy: 'judge' }));
    expect(await ok(world.handoffs.acceptHandoff(bob, { handoffId }))).toMatchObject({ phase: 'accepted' });
    expect(await worklogFacts()).toMatchObject({ commit: 'by-owner', chosen: 'default' });
  });

  it('that is not registered, or is not for handoffs, is refused', async () => {
    const refused = { rejection: { code: 'VALIDATION_ERROR', details: { issues: [{ field: 'policy' }] } } };
    expect(await request({ policy: 'nobody’s' })).toMatchObject(refused);
    await register('elsewhere', {}, 'some.other.mode');
    expect(await request({ policy: 'elsewhere' })).toMatchObject(refused);
  });
});

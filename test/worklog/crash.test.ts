/**
 * A crash between a Commitment and the change of owner cannot be seen: both are one append. Whatever fails wherever, a
 * server that starts on what was stored finds either both or neither.
 */
import { FaultCode, HandoverError, holderOf, RequestType, StreamKind } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { accept, commit, expectSound } from './macp.js';
import { createWorld, type World } from './world.js';

type Failure = 'none' | 'notStored' | 'lostBefore' | 'lostAfter';
const unknown = () =>
  new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'the connection was lost', { next: 'fatal' });

/** Fails as told, commit by commit; afterwards it works. */
function failing(inner: Store, failures: readonly Failure[]): Store {
  let calls = 0;
  return {
    ...inner,
    commit: async (request, decide) => {
      const failure = failures[calls++] ?? 'none';
      if (failure === 'lostBefore') throw unknown();
      if (failure === 'notStored') return { kind: 'notStored', reason: 'as told' };
      const outcome = await inner.commit(request, decide);
      if (failure === 'lostAfter') throw unknown();
      return outcome;
    },
  };
}

const attempt = async (act: () => Promise<unknown>): Promise<void> => {
  await act().catch((thrown: unknown) => expect(thrown).toBeInstanceOf(HandoverError));
};

async function expectOneStory(world: World): Promise<void> {
  const list = <K extends StreamKind>(kind: K) =>
    world.deps.engine.list({ tenant: 'default', kind, limit: 100 });
  for (const { ref } of await list(StreamKind.Session)) {
    const session = (await world.deps.engine.query(ref))?.state;
    if (!session) throw new Error(`session ${ref.id} is listed but not there`);
    const worklogs = await list(StreamKind.Worklog);
    const found = worklogs.find(({ ref: { id } }) => id === session.binding?.worklog);
    const worklog = found && (await world.deps.engine.query(found.ref))?.state;
    expect(worklog?.owner).toBe(holderOf(session));
    expect(worklog?.pending.length).toBe(session.status === 'OPEN' ? 1 : 0);
  }
  await expectSound(world);
}

const aFailure = fc.constantFrom<Failure>('none', 'none', 'none', 'notStored', 'lostBefore', 'lostAfter');

describe('a crash', () => {
  it('never comes between a Commitment and the change of owner', async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(aFailure, { minLength: 4, maxLength: 6 }),
        fc.boolean(),
        async (failures, autoCommit) => {
          const inner = createMemoryStore();
          const before = createWorld(failing(inner, failures));
          const request = { sessionKey: 'k', targetAgent: 'bob', requestType: RequestType.FullHandoff };
          let sessionId = 'none-was-made-----------';
          await attempt(() =>
            before.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }),
          );
          await attempt(async () => {
            const outcome = await before.handoffs.requestHandoff(alice, { ...request, autoCommit });
            if ('value' in outcome) sessionId = outcome.value.macpSessionId;
          });
          await attempt(() => accept(before, bob, sessionId));
          if (!autoCommit) await attempt(() => commit(before, alice, sessionId));
          const after = createWorld(inner);
          await expectOneStory(after);
          if ((await inner.list({ tenant: 'default', kind: 'worklog', limit: 1 })).length === 0) return;
          const outcome = await after.handoffs.getSession(bob, 'k');
          if ('value' in outcome) moved += 1;
        },
      ),
      { numRuns: 250 },
    );
    // Both endings were among them.
    expect(moved).toBeGreaterThan(10);
    expect(moved).toBeLessThan(240);
  });

  it('can be recovered from with the same keys', async () => {
    for (const failure of ['lostBefore', 'lostAfter', 'notStored'] as const) {
      const inner = createMemoryStore();
      const before = createWorld(failing(inner, ['none', failure]));
      await ok(before.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
      const request = {
        sessionKey: 'k',
        targetAgent: 'bob',
        requestType: RequestType.FullHandoff,
        idempotencyKey: 'one',
      };
      await attempt(() => before.handoffs.requestHandoff(alice, request));
      const after = createWorld(inner);
      const outcome = await after.handoffs.requestHandoff(alice, request);
      expect('replayed' in outcome && outcome.replayed).toBe(failure === 'lostAfter');
      expect((await ok(after.handoffs.listHandoffs(bob, { box: 'inbox' }))).handoffs).toHaveLength(1);
    }
  });
});

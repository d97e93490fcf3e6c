/** assistants:H2 wherever a server dies during handOff, everything of it is there afterwards, or nothing, and a retry completes it. */
import { FaultCode, HandoverError, StreamKind } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { expect, it } from 'vitest';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { expectSound } from './macp.js';
import { createWorld } from './world.js';

type Failure = 'lostBefore' | 'lostAfter' | 'notStored';

/** The commit with this number fails in this way, and the server is dead then. */
function dying(inner: Store, at: number, failure: Failure): Store {
  let commits = 0;
  const unknown = () =>
    new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'the connection was lost', { next: 'fatal' });
  return {
    ...inner,
    commit: async (request, decide) => {
      commits += 1;
      if (commits < at) return inner.commit(request, decide);
      if (commits > at || failure === 'lostBefore') throw unknown();
      if (failure === 'notStored') return { kind: 'notStored', reason: 'as told' };
      await inner.commit(request, decide);
      throw unknown();
    },
  };
}

const window = { transport: 'stdio', since: 0, instance: 'aaaaaaaa' } as const;
const attachments = [{ name: 'a.txt', content: 'a' }];
const cases = (['lostBefore', 'lostAfter', 'notStored'] as const).flatMap((failure) =>
  [1, 2, 3, 4, 5].flatMap((at) => [
    { failure, at, to: 'bob' },
    { failure, at, to: undefined },
  ]),
);

it.each(cases)('assistants:H2 $failure at commit $at, to $to', async ({ failure, at, to }) => {
  const inner = createMemoryStore();
  const args = { ...(to !== undefined && { to }), goal: 'g', attachments };
  const first = await ok(
    createWorld(inner).handoffs.handOff(alice, { ...args, idempotencyKey: 'one' }, window),
  );
  const before = createWorld(dying(inner, at, failure));
  const next = { ...args, next: ['h'], idempotencyKey: 'two' };
  const died = await before.handoffs.handOff(alice, next, window).catch((thrown: unknown) => {
    expect(thrown).toBeInstanceOf(HandoverError);
    return 'died';
  });
  const after = createWorld(inner);
  const count = async (kind: StreamKind) =>
    (await after.engine.list({ tenant: 'default', kind, limit: 100 })).length;
  const perCall = to === undefined ? 2 : 1;
  const state = async () => (await after.engine.query(refOf(first.sessionKey)))?.state;
  const isThere = (await state())?.lastNumber === 2 * perCall;
  if (died !== 'died') expect(isThere).toBe('value' in (died as object));
  expect((await state())?.lastNumber).toBe(isThere ? 2 * perCall : perCall);
  if (to !== undefined) expect(await count(StreamKind.Session)).toBe(isThere ? 2 : 1);
  await expectSound(after);
  const again = await after.handoffs.handOff(alice, next, window);
  expect(again).toMatchObject({ value: { sessionKey: first.sessionKey, sequenceNumber: 2 * perCall } });
  expect('replayed' in again).toBe(isThere);
  expect((await state())?.lastNumber).toBe(2 * perCall);
  if (to !== undefined) {
    const { handoffs } = await ok(after.handoffs.listHandoffs(bob, { box: 'inbox', status: 'pending' }));
    expect(handoffs).toHaveLength(1);
    expect(handoffs[0]?.contexts).toBe(2);
  }
  await expectSound(after);
});

const refOf = (id: string) => ({ tenant: 'default', kind: StreamKind.Worklog, id });

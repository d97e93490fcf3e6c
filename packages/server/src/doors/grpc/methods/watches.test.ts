import { status } from '@grpc/grpc-js';
import { createMemoryStore } from '@handover/engine';
import { withScrambledCursors } from '@handover/engine/store-contract';
import { pb } from '@handover/wire';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import {
  accept,
  commitment,
  newSession,
  offer,
  sessionStart,
  signal,
} from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

let world: World;
beforeEach(async () => {
  world = await startWorld({ store: withScrambledCursors(createMemoryStore()) });
});
afterEach(() => world.close());

const { CREATED, RESOLVED, SUSPENDED, RESUMED, CANCELLED, EXPIRED } = pb.SessionLifecycleEvent_EventType;

describe('WatchSessions', () => {
  it(`${verifies('macp-2026:3.5:events')}shows each session once as created, then what happens to it, to its members alone`, async () => {
    const [before, after, foreign] = [newSession(), newSession(), newSession()];
    const alice = world.client('alice');
    await alice.send(sessionStart(before));
    const watch = world.client('bob').watch('watchSessions');
    const outsider = world.client('mallory').watch('watchSessions');
    expect((await watch.next()).event).toMatchObject({ eventType: CREATED, session: { sessionId: before } });

    await world.client('carol').send(sessionStart(foreign, ['carol', 'alice']));
    await alice.send(sessionStart(after));
    await alice.call('suspendSession', { sessionId: before, reason: '' });
    await alice.call('resumeSession', { sessionId: before, reason: '' });
    await alice.send(offer(before));
    await world.client('bob').send(accept(before));
    await alice.send(commitment(before));
    await alice.call('cancelSession', { sessionId: after, reason: '' });
    const seen = (await watch.take(5)).map(({ event }) => [event?.eventType, event?.session?.sessionId]);
    expect(seen).toEqual([
      [CREATED, after],
      [SUSPENDED, before],
      [RESUMED, before],
      [RESOLVED, before],
      [CANCELLED, after],
    ]);
    expect(outsider.frames).toEqual([]);
  });

  it('needs a credential', async () => {
    const watch = world.client().watch('watchSessions');
    expect((await watch.status).code).toBe(status.UNAUTHENTICATED);
  });
});

describe('WatchSignals', () => {
  it('broadcasts with the sender that was authenticated, and needs a credential', async () => {
    const watch = world.client('bob').watch('watchSignals');
    await watch.opened;
    await world.client('alice').send(signal('s1'));
    await world.client('alien').send(signal('elsewhere'));
    await world.client('alice').send(signal('s2'));
    const [first, second] = await watch.take(2);
    expect(first?.envelope).toMatchObject({ messageId: 's1', sender: 'alice', messageType: 'Signal' });
    expect(second?.envelope?.messageId).toBe('s2');
    expect(first?.senderAuthenticated).toBe(true);
    expect((await world.client().watch('watchSignals').status).code).toBe(status.UNAUTHENTICATED);
  });
});

describe('watches of registries', () => {
  it(`${verifies('macp-2026:3.7:policies')}gives the policies now and after each change`, async () => {
    const watch = world.client('alice').watch('watchPolicies');
    const ids = async () => (await watch.next()).descriptors.map(({ policyId }) => policyId);
    const builtIn = await ids();
    expect(builtIn).toContain('policy.default');
    const admin = world.client('admin');
    await admin.call('registerPolicy', {
      policyDescriptor: { policyId: 'policy.x', mode: '*', schemaVersion: 1 },
    });
    expect(await ids()).toEqual([...builtIn, 'policy.x']);
    await admin.call('unregisterPolicy', { policyId: 'policy.x' });
    expect(await ids()).toEqual(builtIn);
  });

  it(`${verifies('macp-2026:3.7:modes', 'macp-2026:3.7:roots')}hints at the modes now and after each change, and at the roots once`, async () => {
    const modes = world.client('alice').watch('watchModeRegistry');
    const roots = world.client('alice').watch('watchRoots');
    expect((await modes.next()).change).toMatchObject({
      registry: 'modes',
      observedAtUnixMs: BigInt(world.clock.now),
    });
    expect((await roots.next()).change?.observedAtUnixMs).toBe(BigInt(world.clock.now));
    const modeDescriptor = {
      mode: 'ext.x.v1',
      modeVersion: '1',
      messageTypes: ['Commitment'],
      terminalMessageTypes: ['Commitment'],
    };
    await world.client('admin').call('registerExtMode', { modeDescriptor });
    expect((await modes.next()).change?.registry).toBe('modes');
    expect(roots.frames.length).toBe(1);
  });

  it.each(['watchPolicies', 'watchModeRegistry', 'watchRoots'] as const)(
    '%s needs a credential, and tells nothing without one',
    async (key) => {
      const watch = world.client().watch(key);
      expect((await watch.status).code).toBe(status.UNAUTHENTICATED);
      expect(watch.frames).toEqual([]);
    },
  );

  it("shows the caller's own tenant", async () => {
    const [here, there] = ['alice', 'alien'].map((who) => world.client(who).watch('watchPolicies'));
    await Promise.all([here?.next(), there?.next()]);
    await world.client('admin').call('registerPolicy', {
      policyDescriptor: { policyId: 'policy.here', mode: '*', schemaVersion: 1 },
    });
    expect((await here?.next())?.descriptors.map(({ policyId }) => policyId)).toContain('policy.here');
    expect(there?.frames).toHaveLength(1);
  });

  it('refuses bytes that are no request', async () => {
    const watch = world.client().watch('watchRoots', null, Uint8Array.of(0xff));
    expect((await watch.status).code).toBe(status.INVALID_ARGUMENT);
  });
});

it('forgets a cancelled watch at once', async () => {
  const keys = ['watchSessions', 'watchSignals', 'watchPolicies', 'watchModeRegistry', 'watchRoots'] as const;
  const watches = keys.map((key) => world.client('alice').watch(key));
  await Promise.all(watches.map((watch) => watch.opened));
  expect(world.door.liveCalls).toBe(5);
  for (const watch of watches) watch.cancel();
  await expect.poll(() => world.door.liveCalls).toBe(0);
});

it('ends watches with UNAVAILABLE when the door closes', async () => {
  const watch = world.client('alice').watch('watchRoots');
  await watch.next();
  const closing = world.door.close();
  expect((await watch.status).code).toBe(status.UNAVAILABLE);
  await closing;
});

it('sees a session expire', async () => {
  const watch = world.client('alice').watch('watchSessions');
  const id = newSession();
  await world.client('alice').send(sessionStart(id));
  await watch.next();
  world.clock.now += 60_001;
  await world.client('alice').call('getSession', { sessionId: id });
  expect((await watch.next()).event).toMatchObject({ eventType: EXPIRED, session: { sessionId: id } });
});

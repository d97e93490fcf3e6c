/** Watches of registries and sessions: behind a credential, for one's own tenant, and of one follower together. */
import { randomUUID } from 'node:crypto';
import { createMemoryStore, type Store } from '@handover/engine';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { start } from '../kit/envelopes.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';

const REGISTRY_WATCHES = ['watchPolicies', 'watchModeRegistry', 'watchRoots'] as const;
const WATCHES = [...REGISTRY_WATCHES, 'watchSessions'] as const;
const SENDS = 20;

let doors: Doors;
afterEach(() => doors.close());

/** Counts how often the store and the engine are asked. */
function countingStore(): { readonly store: Store; readonly reads: () => number } {
  const inner = createMemoryStore();
  let reads = 0;
  const counted = <Args extends unknown[], Answer>(ask: (...args: Args) => Answer) => {
    return (...args: Args) => {
      reads++;
      return ask(...args);
    };
  };
  const store = { ...inner, feed: counted(inner.feed), load: counted(inner.load), list: counted(inner.list) };
  return { store, reads: () => reads };
}

/** What twenty Sends cost while so many watch: reads of the store, queries of the engine, followers of the log. */
async function costOfSends(watchers: number) {
  const { store, reads } = countingStore();
  doors = await openDoors({ store });
  const open = Array.from({ length: watchers }, (_, n) => {
    const client = doors.client(`watcher${Math.floor(n / 32)}`);
    return client.watch(WATCHES[n % WATCHES.length] ?? 'watchRoots');
  });
  await Promise.all(open.map(({ opened }) => opened));
  // A session of somebody else: what happens to it concerns none of the watchers.
  const owner = doors.client('owner');
  const id = randomUUID();
  await owner.send(start(id, 'owner', { ttlMs: 3_600_000 }));
  const queries = vi.spyOn(doors.engine, 'query');
  const before = reads();
  for (let n = 0; n < SENDS; n++) await owner.send(start(randomUUID(), 'owner', { ttlMs: 3_600_000 }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const cost = {
    reads: reads() - before,
    queries: queries.mock.calls.length,
    followers: doors.engine.followers,
  };
  for (const watch of open) watch.cancel();
  await until(() => doors.deps.listeners.count === 0);
  expect(doors.engine.followers, 'nobody watches any more').toBe(0);
  await doors.close();
  return cost;
}

describe('hardening:H4 registry watches', () => {
  it('make a Send no dearer, however many they are: one follower, and each entry is looked at once', async () => {
    const few = await costOfSends(4);
    const many = await costOfSends(400);
    expect(few.followers).toBe(1);
    expect(many).toEqual(few);
    expect(many.queries).toBeLessThanOrEqual(2 * SENDS);
  });

  it('need a credential, and show nothing without one', async () => {
    const token = { token: 'alice-token', sender: 'alice' };
    doors = await openDoors({ env: { MACP_AUTH_TOKENS_JSON: JSON.stringify([token]) } });
    for (const key of REGISTRY_WATCHES) {
      for (const bearer of ['', 'wrong']) {
        const watch = doors.client(bearer).watch(key, bearer === '' ? null : bearer);
        expect(await watch.statusName()).toBe('UNAUTHENTICATED');
        expect(watch.bytes).toEqual([]);
      }
      await doors.client('alice-token').watch(key).next();
    }
    expect(doors.deps.listeners.count).toBe(REGISTRY_WATCHES.length);
  });

  it("show the caller's own tenant, after each change of it", async () => {
    const tokens = [
      { token: 'one', sender: 'admin', tenant: 'one', can_manage_mode_registry: true },
      { token: 'two', sender: 'admin', tenant: 'two', can_manage_mode_registry: true },
    ];
    doors = await openDoors({ env: { MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens) } });
    const [one, two] = [
      doors.client('one').watch('watchPolicies'),
      doors.client('two').watch('watchPolicies'),
    ];
    await Promise.all([one.next(), two.next()]);
    for (let n = 0; n < 3; n++)
      await doors.client('one').call('registerPolicy', {
        policyDescriptor: { policyId: `policy.n${n}`, mode: '*', schemaVersion: 1 },
      });
    await one.atLeast(4);
    expect(one.frames.at(-1)?.descriptors.map(({ policyId }) => policyId)).toContain('policy.n2');
    expect(two.frames).toHaveLength(1);
  });
});

describe('hardening:H4 watches of sessions', () => {
  it('show every session once as created, while others are started and many watch', async () => {
    doors = await openDoors();
    const owner = doors.client('owner');
    const ids = Array.from({ length: 120 }, () => randomUUID());
    const started = async (from: number, to: number) => {
      for (const id of ids.slice(from, to)) await owner.send(start(id, 'owner', { ttlMs: 3_600_000 }));
    };
    await started(0, 40);
    const writing = started(40, 120);
    const watches = [];
    for (let n = 0; n < 12; n++) {
      watches.push(doors.client('a').watch('watchSessions'));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await writing;
    for (const watch of watches) {
      const frames = await watch.atLeast(ids.length);
      expect(frames.map(({ event }) => event?.session?.sessionId).sort()).toEqual([...ids].sort());
    }
  });
});

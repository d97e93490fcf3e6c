import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../auth/principal.js';
import { ALL_SCOPES, Scope } from '../../../auth/scopes.js';
import type { ResourceKind } from '../resources/resource-kind.js';
import { type ChangeNote, Subscriptions } from './subscriptions.js';

const principal = (agent: string, tenant = 'default'): Principal => ({
  tenant,
  agent,
  canStartSessions: true,
  canManageModeRegistry: false,
  isObserver: false,
  scopes: ALL_SCOPES,
});

/** One kind of resource, at `handoff://things/{id}`. `readers` says who may read it, and in which version. */
function setUp() {
  const readers = new Map<string, string>();
  const log = { starts: 0, stops: 0, fails: false };
  let change: (note: ChangeNote) => Promise<void> = async () => {};
  const kind: ResourceKind = {
    name: 'thing',
    title: '',
    description: '',
    path: 'things/{id}',
    scope: Scope.HANDOFF_READ,
    paged: true,
    read: async () => ({ value: {} }),
    watch: {
      topics: ({ values }) => [`thing ${values.id}`],
      version: async (_, { agent, tenant }) => readers.get(`${tenant}/${agent}`),
    },
  };
  const subscriptions = new Subscriptions({
    kinds: [kind],
    watch: async (onChange) => {
      if (log.fails) throw new Error('the store is away');
      log.starts++;
      change = onChange;
      return () => {
        log.stops++;
      };
    },
  });
  const open = (agent: string, tenant?: string) => {
    const told: string[] = [];
    const send = (one: { kind: string; uri?: string }) => void told.push(one.uri ?? one.kind);
    return { told, ...subscriptions.open({ principal: principal(agent, tenant), lists: true, send }) };
  };
  const changed = (topics: string[], listed = false, tenant = 'default') =>
    change({ tenant, topics, listed });
  return { readers, log, open, changed, subscriptions };
}

const THING = 'handoff://things/1';

describe('subscriptions', () => {
  it('bind nothing that the subscriber could not read', async () => {
    const { readers, open, changed } = setUp();
    const stranger = open('carol');
    expect(await stranger.follow(THING)).toBe('unseen');
    expect(await stranger.follow('handoff://nothing')).toBe('unseen');
    readers.set('default/carol', '1');
    await changed(['thing 1']);
    expect(stranger.told).toEqual([]);
  });

  it('tell of a new version, once, and of nothing after the right to read has gone', async () => {
    const { readers, open, changed } = setUp();
    readers.set('default/alice', '1');
    const alice = open('alice');
    expect(await alice.follow(THING)).toBe('followed');
    await changed(['thing 1']);
    expect(alice.told, 'the same version').toEqual([]);
    readers.set('default/alice', '2');
    await changed(['thing 1']);
    await changed(['thing 1']);
    expect(alice.told).toEqual([THING]);
    readers.delete('default/alice');
    await changed(['thing 1']);
    expect(alice.told).toEqual([THING]);
  });

  it('hardening:H1 follow an address once, however it is spelled, and no pages', async () => {
    const { readers, open, changed } = setUp();
    readers.set('default/alice', '1');
    const alice = open('alice');
    expect(await alice.follow(`${THING}?cursor=1`)).toBe('unseen');
    expect(await alice.follow(THING)).toBe('followed');
    expect(await alice.follow('handoff://things/%31')).toBe('followed');
    readers.set('default/alice', '2');
    await changed(['thing 1']);
    expect(alice.told).toEqual([THING]);
    alice.unfollow(THING);
    expect(await alice.follow('handoff://things/%31')).toBe('followed');
    readers.set('default/alice', '3');
    await changed(['thing 1']);
    expect(alice.told).toEqual([THING, 'handoff://things/%31']);
  });

  it('hardening:H1 are told in many turns of the loop', async () => {
    const { readers, open, changed } = setUp();
    readers.set('default/alice', '1');
    const listeners = Array.from({ length: 200 }, () => open('alice'));
    for (const one of listeners) await one.follow(THING);
    readers.set('default/alice', '2');
    const told = () => listeners.flatMap((one) => one.told).length;
    const done = changed(['thing 1']);
    let most = 0;
    for (let before = 0; told() < 200; before = told()) {
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, told() - before);
    }
    await done;
    expect(most).toBeLessThanOrEqual(64);
  });

  it('keep tenants apart', async () => {
    const { readers, open, changed } = setUp();
    for (const tenant of ['default', 'other']) readers.set(`${tenant}/alice`, '1');
    const [here, there] = [open('alice'), open('alice', 'other')];
    await here.follow(THING);
    await there.follow(THING);
    for (const tenant of ['default', 'other']) readers.set(`${tenant}/alice`, '2');
    await changed(['thing 1', 'agent alice'], true, 'other');
    expect(here.told).toEqual([]);
    expect(there.told).toEqual([THING, 'listed']);
  });

  it('tell of lists only whom it concerns', async () => {
    const { open, changed } = setUp();
    const [alice, bob] = [open('alice'), open('bob')];
    await changed(['agent bob'], true);
    await changed(['agent bob'], false);
    expect(alice.told).toEqual([]);
    expect(bob.told).toEqual(['listed']);
  });

  it('follow the log only while somebody listens, and end with unfollow and close', async () => {
    const { readers, log, open, changed, subscriptions } = setUp();
    readers.set('default/alice', '1');
    const [one, two] = [open('alice'), open('alice')];
    await one.follow(THING);
    await two.follow(THING);
    one.unfollow(THING);
    readers.set('default/alice', '2');
    two.close();
    await changed(['thing 1']);
    expect([one.told, two.told]).toEqual([[], []]);
    expect(log).toMatchObject({ starts: 1, stops: 0 });
    one.close();
    one.close();
    await Promise.resolve();
    expect(log).toMatchObject({ starts: 1, stops: 1 });
    expect(subscriptions.count).toBe(0);
    open('alice');
    expect(log.starts).toBe(2);
  });

  it('are bounded', async () => {
    const { readers, open } = setUp();
    readers.set('default/alice', '1');
    const alice = open('alice');
    for (let index = 0; index < 256; index++)
      expect(await alice.follow(`handoff://things/${index}`)).toBe('followed');
    expect(await alice.follow('handoff://things/one-more')).toBe('full');
  });

  it('that cannot begin say so, and begin when they can', async () => {
    const { readers, log, open } = setUp();
    readers.set('default/alice', '1');
    log.fails = true;
    const alice = open('alice');
    await expect(alice.follow(THING)).rejects.toThrow('away');
    log.fails = false;
    expect(await alice.follow(THING)).toBe('followed');
  });
});

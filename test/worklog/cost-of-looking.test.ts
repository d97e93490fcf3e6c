/** What one look for work reads: what concerns the caller, however many sessions others have (assistants:1.5, assistants:5.2). */
import { createMemoryStore, type Store } from '@handover/engine';
import { describe, expect, it, vi } from 'vitest';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import type { Connection } from '../../packages/server/src/services/connection.js';
import { takeHook } from '../../packages/server/src/services/handoffs/hook-visits.js';
import { ok } from '../kit/outcomes.js';
import { agent, alice, bob } from '../kit/principals.js';
import { createWorld } from './world.js';

const SHOP = { id: 'dir:0123456789abcdef', name: 'shop' };
const OTHER = { id: 'dir:fedcba9876543210', name: 'other' };
const DAY = 86_400_000;

interface Read {
  rows: number;
  heads: number;
  loaded: number;
  states: number;
  agents: number;
}

/** A store that counts what is read of it. */
function counted(store: Store, read: Read): Store {
  const { agents } = store;
  return {
    ...store,
    list: async (query) => {
      const rows = await store.list(query);
      read.rows += rows.length;
      return rows;
    },
    heads: (refs) => {
      read.heads += refs.length;
      return store.heads(refs);
    },
    load: async (...asked) => {
      const heads = await store.load(...asked);
      read.loaded += heads.length;
      return heads;
    },
    agents: {
      ...agents,
      find: (...asked) => {
        read.agents += 1;
        return agents.find(...asked);
      },
    },
  };
}

const nothingRead = (): Read => ({ rows: 0, heads: 0, loaded: 0, states: 0, agents: 0 });

function open() {
  const read = nothingRead();
  const world = createWorld(counted(createMemoryStore(), read));
  const query = world.engine.query.bind(world.engine);
  vi.spyOn(world.engine, 'query').mockImplementation((ref) => {
    read.states += 1;
    return query(ref as never);
  });
  const connection = (project = SHOP): Connection => ({
    ...{ transport: 'stdio', since: world.clock.now, project, instance: '0123abcd' },
  });
  const { handoffs, directory } = world;

  async function work(owner: Principal, sessionKey: string, project = SHOP): Promise<void> {
    const at = { ...connection(project), instance: 'ffffffff' };
    await ok(handoffs.registerSession(owner, { sessionKey, agentFrom: owner.agent }, at));
    await ok(handoffs.updateContext(owner, { sessionKey, contextType: 'message', content: 'words' }, at));
    world.clock.now += 1;
  }
  const park = (owner: Principal, sessionKey: string, taker = '*', event?: string) =>
    ok(
      handoffs.park(owner, {
        ...{ sessionKey, takers: [taker], requestType: 'full_handoff' },
        ...{ until: world.clock.now + 7 * DAY, by: event === undefined ? 'owner' : 'hook' },
        ...(event !== undefined && { event }),
      } as never),
    );
  const resume = (who: Principal) => {
    const args = { accept: false, take: false };
    return ok(handoffs.resume(who, args, connection()));
  };
  const hook = (who: Principal) => {
    const body = { client: 'claude', clientSession: 'c1', event: 'SessionStart', project: SHOP };
    return takeHook({ handoffs, directory, now: () => world.clock.now }, who, body, { transport: 'stdio' });
  };
  /** What one call reads once the server knows which sessions there are. */
  async function cost(call: () => Promise<unknown>): Promise<Read> {
    await call();
    Object.assign(read, nothingRead());
    await call();
    return { ...read };
  }
  return { ...world, read, work, park, resume, hook, cost };
}

type Opened = ReturnType<typeof open>;

const LOOKS = [
  ['resume', ({ resume }: Opened) => resume(bob)],
  ['the hook', ({ hook }: Opened) => hook(bob)],
] as const;

/** How others may fill the tenant. */
const CROWDS: Readonly<Record<string, (world: Opened, index: number) => Promise<void>>> = {
  'of others in another project': ({ work }, i) => work(agent(`a${i}`), `w${i}`, OTHER),
  'of others in the project': ({ work }, i) => work(agent(`a${i}`), `w${i}`),
  'parked for anyone in the project': async ({ work, park }, i) => {
    await work(alice, `w${i}`);
    await park(alice, `w${i}`);
  },
  'parked for anyone in another project': async ({ work, park }, i) => {
    await work(alice, `w${i}`, OTHER);
    await park(alice, `w${i}`);
  },
  'parked for another agent': async ({ work, park }, i) => {
    await work(alice, `w${i}`);
    await park(alice, `w${i}`, 'carol');
  },
  'that the end of a conversation left': async ({ work, park }, i) => {
    await work(alice, `w${i}`);
    await park(alice, `w${i}`, '*', 'SessionEnd');
  },
};

describe.each(LOOKS)('%s', (_name, look) => {
  it.each(Object.entries(CROWDS))(
    'reads no more of many sessions %s',
    async (_crowd, add) => {
      const world = open();
      for (let i = 0; i < 150; i++) await add(world, i);
      const few = await world.cost(() => look(world));
      for (let i = 150; i < 450; i++) await add(world, i);
      const many = await world.cost(() => look(world));
      expect(many).toEqual(few);
      const { rows, heads, loaded, states, agents } = many;
      expect(rows + heads + loaded).toBeLessThanOrEqual(20);
      expect(states + agents).toBeLessThanOrEqual(250);
    },
    60_000,
  );
});

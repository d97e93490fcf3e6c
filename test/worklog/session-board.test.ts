/** The board of open working sessions: it says what the store says, finds what is new at once, and does not grow (B1 to B4). */
import { createMemoryStore } from '@handover/engine';
import { describe, expect, it, vi } from 'vitest';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { leftWorks } from '../../packages/server/src/services/handoffs/board/left-works.js';
import type { OpenWork } from '../../packages/server/src/services/handoffs/board/open-work.js';
import { SessionBoard } from '../../packages/server/src/services/handoffs/board/session-board.js';
import type { Shelf } from '../../packages/server/src/services/handoffs/board/shelf.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob, carol } from '../kit/principals.js';
import { until } from '../kit/until.js';
import { createWorld, type World } from './world.js';

const SHOP = { id: 'dir:0123456789abcdef', name: 'shop' };
const DAY = 86_400_000;
const tenant = alice.tenant;
const ALL = Number.POSITIVE_INFINITY;
const everything = () => true;

const keys = (works: readonly OpenWork[]) => works.map(({ ref }) => ref.id);
const shown = (shelf: Shelf) => shelf.all.newest('*', ALL, everything);

function open() {
  const world = createWorld(createMemoryStore());
  const connection = { transport: 'stdio' as const, since: 0, project: SHOP, instance: '0123abcd' };
  return {
    ...world,
    register: async (owner: Principal, sessionKey: string) => {
      world.clock.now += 1;
      await ok(world.handoffs.registerSession(owner, { sessionKey, agentFrom: owner.agent }, connection));
    },
    write: async (owner: Principal, sessionKey: string) => {
      world.clock.now += 1;
      return world.handoffs.updateContext(owner, { sessionKey, contextType: 'message', content: 'x' });
    },
    park: async (owner: Principal, sessionKey: string, takers: readonly string[], event?: string) => {
      world.clock.now += 1;
      return world.handoffs.park(owner, {
        ...{ sessionKey, takers, requestType: 'full_handoff', until: world.clock.now + DAY },
        ...(event === undefined ? { by: 'owner' } : { by: 'hook', event }),
      } as never);
    },
  };
}

/** As a new process of the server would find it. */
async function fresh({ engine, store }: World, most?: number): Promise<Shelf> {
  const source = {
    engine: { list: engine.list.bind(engine), query: engine.query.bind(engine) } as never,
    store,
  };
  const board = new SessionBoard(source, most);
  const shelf = await board.of(tenant, 'x');
  await board.learn(shelf, shown(shelf));
  return shelf;
}

/** A small generator of numbers, the same at every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

describe('B1', () => {
  it.each([1, 2, 3])('what is told is what a new process would read, whatever happens (%i)', async (seed) => {
    const world = open();
    const { deps, handoffs, clock } = world;
    const roll = dice(seed);
    const people = [alice, bob, carol];
    for (let step = 0; step < 250; step++) {
      const who = people[roll(3)] ?? alice;
      const key = `s${roll(12)}`;
      if (step === 20) await deps.board.of(tenant, 'x');
      const moves = [
        () => world.register(who, key).catch(() => undefined),
        () => world.write(who, key),
        () => world.park(who, key, [(people[roll(3)] ?? bob).agent]),
        () => world.park(who, key, ['*']),
        () => world.park(who, key, ['*'], 'SessionEnd'),
        () => world.park(who, key, []),
        () => handoffs.pickUp(who, { sessionKey: key, anyone: true }),
        () => handoffs.closeSession(who, { sessionKey: key, outcome: 'done' } as never),
        () => handoffs.reopenSession(who, key),
        async () => {
          clock.now += roll(3) * DAY;
        },
      ];
      await moves[roll(moves.length)]?.();
    }
    const told = await deps.board.of(tenant, 'x');
    await deps.board.learn(told, shown(told));
    const read = await fresh(world);
    expect(read.size).toBeGreaterThan(3);
    expect(shown(told)).toEqual(shown(read));
    for (const taker of ['alice', 'bob', 'carol', '*'])
      for (const how of ['asked', 'end'] as const)
        expect(told.leftFor(taker, how).newest('*', ALL, everything)).toEqual(
          read.leftFor(taker, how).newest('*', ALL, everything),
        );
  });

  it('what is written while the rows are read is not lost', async () => {
    const world = open();
    for (let i = 0; i < 20; i++) await world.register(alice, `s${i}`);
    const list = vi.spyOn(world.store, 'list');
    const loading = world.deps.board.of(tenant, 'x');
    await until(() => list.mock.calls.length > 0);
    await Promise.all([
      world.park(alice, 's3', ['bob']),
      world.write(alice, 's19'),
      world.register(alice, 'new'),
    ]);
    const shelf = await loading;
    await world.deps.board.of(tenant, 'x');
    const read = await fresh(world);
    await world.deps.board.learn(shelf, shown(shelf));
    expect(shown(shelf)).toEqual(shown(read));
    expect(keys(shelf.leftFor('bob', 'asked').newest('*', ALL, everything))).toEqual(['s3']);
  });

  it('what is closed, or begun and left, after its rows were read and before they are laid out is so', async () => {
    const world = open();
    for (let i = 0; i < 5; i++) await world.register(alice, `s${i}`);
    const list = world.store.list.bind(world.store);
    vi.spyOn(world.store, 'list').mockImplementationOnce(async (query) => {
      await world.register(alice, 'new');
      const rows = await list(query);
      await world.park(alice, 'new', ['bob']);
      await ok(world.handoffs.closeSession(alice, { sessionKey: 's3', outcome: 'done' } as never));
      return rows as never;
    });
    const shelf = await world.deps.board.of(tenant, 'x');
    expect(keys(shown(shelf)).sort()).toEqual(['new', 's0', 's1', 's2', 's4']);
    expect(keys(shelf.leftFor('bob', 'asked').newest('*', ALL, everything))).toEqual(['new']);
  });

  it('what is left while the board is used need not be read', async () => {
    const world = open();
    for (const key of ['s', 't']) await world.register(alice, key);
    const shelf = await world.deps.board.of(tenant, 'x');
    await world.park(alice, 's', ['bob']);
    expect(keys(shelf.leftFor('bob', 'asked').newest('*', ALL, everything))).toEqual(['s']);
    await world.write(alice, 't');
    await world.park(alice, 't', ['*'], 'SessionEnd');
    expect(keys(shelf.leftFor('*', 'end').newest('*', ALL, everything))).toEqual(['t']);
    await world.park(alice, 's', ['carol']);
    expect(shelf.leftFor('bob', 'asked').size).toBe(0);
  });

  it('a load that fails is tried again', async () => {
    const world = open();
    await world.register(alice, 's');
    vi.spyOn(world.store, 'list').mockRejectedValueOnce(new Error('the disk is gone'));
    await expect(world.deps.board.of(tenant, 'x')).rejects.toThrow('the disk is gone');
    expect((await world.deps.board.of(tenant, 'x')).size).toBe(1);
  });

  it('what many looks find at once, and is written meanwhile, is as it was written last', async () => {
    const world = open();
    const board = new SessionBoard({ engine: world.engine, store: world.store }, 10);
    for (let i = 0; i < 30; i++) await world.register(alice, `s${i}`);
    await board.of(tenant, 'x');
    await world.write(alice, 's0');
    // The answer of the first read comes after the second write.
    const query = world.engine.query.bind(world.engine);
    const reads = vi.spyOn(world.engine, 'query').mockImplementationOnce(async (ref) => {
      const old = await query(ref);
      await world.park(alice, 's0', ['bob']);
      return old as never;
    });
    const [shelf] = await Promise.all([board.of(tenant, 'x'), board.of(tenant, 'y')]);
    expect(
      reads.mock.calls.filter(([{ kind, id }]) => kind === 'worklog' && id === 's0').length,
    ).toBeLessThan(9);
    expect(keys(shelf.leftFor('bob', 'asked').newest('*', ALL, everything))).toEqual(['s0']);
  });
});

describe('B3', () => {
  it('of too many the newest are kept, and an old one comes back with its next entry', async () => {
    const world = open();
    const board = new SessionBoard({ engine: world.engine, store: world.store }, 10);
    for (let i = 0; i < 30; i++) await world.register(alice, `s${99 - i}`);
    expect(keys(shown(await board.of(tenant, 'x'))).slice(0, 3)).toEqual(['s70', 's71', 's72']);
    for (let i = 0; i < 30; i++) await world.register(alice, `t${99 - i}`);
    const shelf = await board.of(tenant, 'x');
    expect(shelf.size).toBeLessThanOrEqual(10);
    expect(keys(shown(shelf)).slice(0, 3)).toEqual(['t70', 't71', 't72']);
    await world.write(alice, 's99');
    expect(keys(shown(await board.of(tenant, 'x')))[0]).toBe('s99');
  });

  it('of several tenants the one that was looked at longest ago goes first', async () => {
    const world = open();
    const tenants = [tenant, 'other', 'third'];
    for (const name of tenants)
      for (let i = 0; i < 4; i++) await world.register({ ...alice, tenant: name }, `s${i}`);
    const list = vi.spyOn(world.store, 'list');
    const board = new SessionBoard({ engine: world.engine, store: world.store }, 10);
    const isRead = async (name: string) => {
      list.mockClear();
      expect((await board.of(name, 'x')).size).toBe(4);
      return list.mock.calls.length > 0;
    };
    expect(await isRead(tenant)).toBe(true);
    expect(await isRead('other')).toBe(true);
    expect(await isRead(tenant)).toBe(false);
    expect(await isRead('third')).toBe(true);
    expect(await isRead(tenant)).toBe(false);
    expect(await isRead('other')).toBe(true);
  });
});

describe('B4', () => {
  it('looks that come at once begin in slices, and agents take turns', async () => {
    const world = open();
    await world.deps.board.of(tenant, 'x');
    await new Promise((resolve) => setImmediate(resolve));
    let begun = 0;
    const order: string[] = [];
    const looks = [...Array.from({ length: 300 }, () => 'many'), 'one'].map(async (agent) => {
      await world.deps.board.of(tenant, agent);
      begun += 1;
      order.push(agent);
    });
    const most = await mostInATurn(looks, () => begun);
    expect(most).toBeLessThanOrEqual(8);
    expect(order.indexOf('one')).toBeLessThan(30);
  });
});

describe('right after a start', () => {
  const connection = { transport: 'stdio' as const, since: 0, project: SHOP, instance: 'ffffffff' };

  /** Another process of the server on the same store, which knows nothing yet. */
  async function restarted(sessions: number) {
    const before = open();
    for (let i = 0; i < sessions; i++) {
      await before.register(alice, `s${i}`);
      await before.write(alice, `s${i}`);
      await before.park(alice, `s${i}`, ['*']);
    }
    const world = createWorld(before.store);
    world.clock.now = before.clock.now;
    const reads = vi.spyOn(world.engine, 'query');
    const resume = (name: string) =>
      ok(world.handoffs.resume({ ...bob, agent: name }, { accept: false, take: false }, connection));
    return { ...world, reads, resume };
  }

  it('one look reads how the newest were left, and the next one goes on', async () => {
    const { reads, resume } = await restarted(700);
    const counts: number[] = [];
    for (let look = 0; look < 4; look++) {
      reads.mockClear();
      const found = await resume('bob');
      expect(found).toMatchObject({ kind: 'parked', sessionKey: 's699' });
      counts.push(reads.mock.calls.length);
    }
    const [first = 0, second = 0, third = 0, last = 0] = counts;
    expect(first - last).toBe(fixedLimits.boardLearns.value);
    expect(second - last).toBe(fixedLimits.boardLearns.value);
    expect(third - last).toBe(700 - 2 * fixedLimits.boardLearns.value);
  });

  it('of many looks at once one reads for all', async () => {
    const { reads, resume } = await restarted(200);
    await resume('one');
    const known = reads.mock.calls.length - 200;
    const { reads: all, resume: look } = await restarted(200);
    await Promise.all(Array.from({ length: 50 }, (_, i) => look(`agent-${i}`)));
    expect(all.mock.calls.length).toBe(200 + 50 * known);
  });

  it('what waited for the same answer goes on in slices', async () => {
    const { deps } = await restarted(200);
    let done = 0;
    const most = await mostInATurn(
      Array.from({ length: 50 }, async (_, i) => {
        const shelf = await deps.board.of(tenant, `agent-${i}`);
        const isOpen = everything;
        const wanted = { agent: `agent-${i}`, project: '*', now: 0, isOpen, offered: new Set<string>() };
        await leftWorks(deps.board, shelf, wanted, 1);
        done += 1;
      }),
      () => done,
    );
    expect(most).toBeLessThanOrEqual(8);
  });
});

/** How many were done between two turns of the loop, at most. */
async function mostInATurn(all: readonly Promise<void>[], done: () => number): Promise<number> {
  let most = 0;
  while (done() < all.length) {
    const before = done();
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, done() - before);
  }
  await Promise.all(all);
  return most;
}

describe('where there are more than are read', () => {
  it('resume finds the newest, whatever its key', async () => {
    const world = open();
    const connection = { transport: 'stdio' as const, since: 0, project: SHOP, instance: 'ffffffff' };
    // The newest has the last key.
    for (let i = 0; i < 2_100; i++) {
      const key = `w${String(i).padStart(5, '0')}`;
      await world.register(alice, key);
      await world.write(alice, key);
      await world.park(alice, key, ['*']);
    }
    const args = { accept: false, take: false };
    const found = await ok(world.handoffs.resume(bob, args, connection));
    expect(found).toMatchObject({ kind: 'parked', sessionKey: 'w02099' });
    expect(found.others.map(({ sessionKey }) => sessionKey)).toEqual([
      'w02098',
      'w02097',
      'w02096',
      'w02095',
      'w02094',
    ]);
  }, 120_000);
});

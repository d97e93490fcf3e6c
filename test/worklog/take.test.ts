/** Who may take the work of a silent owner, and from when on (assistants:2.3). */
import { createMemoryStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../packages/server/src/services/connection.js';
import { silenceOf } from '../../packages/server/src/services/handoffs/take/silence.js';
import { silentSessions } from '../../packages/server/src/services/handoffs/take/silent-sessions.js';
import { worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import type { TestEnv } from '../kit/configuration.js';
import { ok } from '../kit/outcomes.js';
import { admin, agent, alice, bob, carol } from '../kit/principals.js';
import { expectSound } from './macp.js';
import { createWorld, T0, type World } from './world.js';

const KEY = 'the work';
const SECOND = 1_000;
const SHOP = { id: 'git:0123456789abcdef', name: 'shop' };
const stdio: Connection = { transport: 'stdio', since: T0, project: SHOP };
const http: Connection = { transport: 'http', since: T0, project: SHOP };
const elsewhere = (from: Connection): Connection => ({ ...from, project: { id: 'git:other', name: 'shop' } });
const nowhere = ({ transport, since }: Connection): Connection => ({ transport, since });

async function worldWithWork(env: TestEnv = {}, from: Connection = stdio) {
  const world = createWorld(createMemoryStore(), env);
  await ok(world.handoffs.registerSession(alice, { sessionKey: KEY, agentFrom: 'alice' }, from));
  await ok(write(world, alice));
  return world;
}

const write = (world: World, who: typeof alice, content = 'text') =>
  world.handoffs.updateContext(who, { sessionKey: KEY, contextType: 'message', content });
const take = (world: World, who: typeof bob, from: Connection = stdio, more: object = {}) =>
  world.handoffs.take(who, { sessionKey: KEY, ...more }, from);
const pass = (world: World, seconds: number) => {
  world.clock.now += seconds * SECOND;
};
const iso = (at: number) => new Date(at).toISOString();
const source = ({ deps, store, configuration: { taking } }: World) => ({ ...deps, store, taking });
const silent = async (world: World, who: typeof bob, from: Connection = stdio) => {
  const viewer = { ...who, transport: from.transport };
  const { silent } = await silentSessions(source(world), viewer, from.project?.id);
  return silent.map(({ state }) => state.key);
};

describe('on one’s own machine', () => {
  it('an agent waits for the grace, and is told until when (assistants:O1)', async () => {
    const world = await worldWithWork();
    const silentSince = iso(world.clock.now);
    pass(world, 599);
    expect(await silent(world, bob)).toEqual([]);
    expect(await take(world, bob)).toMatchObject({
      rejection: {
        code: 'FORBIDDEN',
        details: { sessionKey: KEY, silentSince, possibleAt: iso(T0 + 600 * SECOND) },
      },
    });
    pass(world, 2);
    expect(await silent(world, bob)).toEqual([KEY]);
    expect(await take(world, bob)).toMatchObject({
      value: { holder: 'bob', from: 'alice', authority: 'operator', phase: 'committed' },
    });
    expect(await silent(world, carol)).toEqual([]);
    await expectSound(world);
  });

  it('the clock starts again when the owner writes (assistants:O2)', async () => {
    const world = await worldWithWork();
    pass(world, 300);
    await ok(write(world, alice));
    pass(world, 301);
    expect(await take(world, bob)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    pass(world, 300);
    expect(await take(world, bob)).toMatchObject({ value: { holder: 'bob' } });
  });

  it.each([
    ['in the same project', SHOP.id, true],
    ['without a project', '', true],
    ['in another project', 'git:other', false],
  ])('a heartbeat %s (assistants:2.3)', async (_where, heartbeatIn, counts) => {
    const world = await worldWithWork();
    pass(world, 700);
    await world.store.agents.note({ tenant: 'default', agent: 'alice', at: world.clock.now, heartbeatIn });
    pass(world, 1);
    const state = (await world.deps.engine.query(worklogRef('default', KEY)))?.state;
    if (!state) throw new Error('no session');
    const lastSignAt = counts ? T0 + 700 * SECOND : T0;
    expect(await silenceOf(source(world), 'default', state)).toEqual({
      lastSignAt,
      possibleAt: lastSignAt + 600 * SECOND,
    });
    expect(await silent(world, bob)).toEqual(counts ? [] : [KEY]);
    expect('rejection' in (await take(world, bob))).toBe(counts);
  });

  it('only from the same project, or from none; outside it the session does not exist', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    expect(await silent(world, bob, elsewhere(stdio))).toEqual([]);
    expect(await take(world, bob, elsewhere(stdio))).toMatchObject({
      rejection: { code: 'SESSION_NOT_FOUND' },
    });
    expect(await take(world, bob, nowhere(stdio))).toMatchObject({ value: { holder: 'bob' } });
  });

  it('the same request twice is one take, and the owner cannot take from itself', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    expect(await take(world, alice)).toMatchObject({ rejection: { code: 'VALIDATION_ERROR' } });
    const first = await take(world, bob, stdio, { idempotencyKey: 'once' });
    expect(await take(world, bob, stdio, { idempotencyKey: 'once' })).toEqual({ ...first, replayed: true });
  });

  it('of two takers and the owner that writes at the same time each wins or loses whole', async () => {
    for (let round = 0; round < 20; round++) {
      const world = await worldWithWork();
      pass(world, 600);
      const moves = [() => take(world, bob), () => take(world, carol), () => write(world, alice)];
      const at = round % 3;
      const [one, two, three] = [...moves.slice(at), ...moves.slice(0, at)].map((move) => move());
      const done = (await Promise.all([one, two, three])).filter((outcome) => outcome && 'value' in outcome);
      expect(done).toHaveLength(1);
      await expectSound(world);
    }
  });

  it('scopes of a machine make no administrator: the grace holds (assistants:O1)', async () => {
    const world = await worldWithWork();
    expect(await take(world, admin('bob'))).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    const inDevMode = { ...admin('bob'), nameFrom: 'bearer' } as const;
    expect(await take(world, inDevMode, http)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
  });
});

describe('with credentials', () => {
  const TOKENS = {
    MACP_AUTH_TOKENS_JSON: JSON.stringify([{ token: 'a-token-of-at-least-24-bytes', sender: 'alice' }]),
  };

  it('no agent takes by itself, and learns nothing; an administrator may (assistants:O4)', async () => {
    const world = await worldWithWork(TOKENS, http);
    pass(world, 10_000);
    expect(await silent(world, bob, http)).toEqual([]);
    const refused = await take(world, bob, http);
    expect(refused).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    expect(await world.handoffs.take(bob, { sessionKey: 'nothing' }, http)).toEqual(refused);
    await ok(write(world, alice));
    const made = await ok(take(world, admin('root'), nowhere(http)));
    expect(made).toMatchObject({ holder: 'root', from: 'alice', authority: 'operator' });
    expect(made.reason).toContain('by admin root');
    await expectSound(world);
  });

  it('where the operator lets agents take, over HTTP they must name the project', async () => {
    const world = await worldWithWork({ ...TOKENS, HANDOVER_TAKEOVER: 'silent' }, http);
    pass(world, 600);
    for (const from of [nowhere(http), elsewhere(http)]) {
      expect(await silent(world, bob, from)).toEqual([]);
      expect(await take(world, bob, from)).toMatchObject({ rejection: { code: 'SESSION_NOT_FOUND' } });
    }
    expect(await silent(world, bob, http)).toEqual([KEY]);
    expect(await take(world, bob, http)).toMatchObject({ value: { holder: 'bob' } });
    pass(world, 600);
    expect(await take(world, alice, nowhere(http))).toMatchObject({
      rejection: { code: 'FORBIDDEN', message: expect.stringContaining('Handover-Project') },
    });
  });

  it('what has no project is nobody else’s over HTTP', async () => {
    const world = await worldWithWork({ ...TOKENS, HANDOVER_TAKEOVER: 'silent' }, nowhere(http));
    pass(world, 600);
    expect(await silent(world, bob, http)).toEqual([]);
    expect(await take(world, bob, http)).toMatchObject({ rejection: { code: 'SESSION_NOT_FOUND' } });
  });
});

it('off is off, for administrators, too', async () => {
  const world = await worldWithWork({ HANDOVER_TAKEOVER: 'off' });
  pass(world, 10_000);
  for (const who of [bob, admin('root')])
    expect(await take(world, who, http)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
});

it('the grace is the operator’s (assistants:2.3)', async () => {
  const world = await worldWithWork({ HANDOVER_TAKEOVER_AFTER_SECS: '0' });
  expect(await take(world, agent('dan'))).toMatchObject({ value: { holder: 'dan' } });
});

describe('signs of life beside the log', () => {
  const look = { accept: false, take: false, tokenBudget: 4_000 };

  it('a resume of the owner counts, in its project', async () => {
    const world = await worldWithWork();
    pass(world, 599);
    await ok(world.handoffs.resume(alice, look, elsewhere(stdio)));
    await ok(world.handoffs.resume(bob, look, stdio));
    pass(world, 1);
    expect(await silent(world, bob)).toEqual([KEY]);
    await ok(world.handoffs.resume(alice, look, stdio));
    expect(await silent(world, bob)).toEqual([]);
    expect(await take(world, bob)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    pass(world, 600);
    expect(await silent(world, bob)).toEqual([KEY]);
  });

  it('of work that is named, in the project of the work', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    await ok(world.handoffs.resume(alice, { ...look, sessionKey: KEY, accept: true }, elsewhere(stdio)));
    expect(await take(world, bob)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
  });
});

describe('who asks the user first', () => {
  const asking = (answer?: 'no') => {
    const asked: object[] = [];
    const permit = async (about: object) => {
      asked.push(about);
      return answer ? ({ code: 'FORBIDDEN', message: 'the user declined' } as const) : undefined;
    };
    return { asked, permit };
  };

  it('takes with a yes, and takes nothing with a no', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    const no = asking('no');
    expect(await take(world, bob, stdio, no)).toMatchObject({ rejection: { message: 'the user declined' } });
    expect(no.asked).toEqual([{ sessionKey: KEY, from: 'alice', silentSince: T0 }]);
    expect((await ok(world.handoffs.getSession(alice, KEY))).owner).toBe('alice');
    const yes = asking();
    expect(await take(world, bob, stdio, yes)).toMatchObject({ value: { holder: 'bob' } });
    expect(yes.asked).toHaveLength(1);
  });

  it('asks nobody about what cannot be taken', async () => {
    const world = await worldWithWork();
    const { asked, permit } = asking();
    expect(await take(world, bob, stdio, { permit })).toMatchObject({
      rejection: { code: 'FORBIDDEN', details: { possibleAt: iso(T0 + 600 * SECOND) } },
    });
    pass(world, 600);
    await take(world, alice, stdio, { permit });
    await take(world, bob, elsewhere(stdio), { permit });
    const full = { sessionKey: KEY, requestType: 'full_handoff', autoCommit: false } as const;
    const { handoffId } = await ok(world.handoffs.requestHandoff(alice, { ...full, targetAgent: 'carol' }));
    pass(world, 600);
    await take(world, bob, stdio, { permit });
    await ok(world.handoffs.acceptHandoff(carol, { handoffId }));
    await take(world, bob, stdio, { permit });
    expect(asked).toEqual([]);
    // Its target may, once the owner does not commit.
    expect(await take(world, carol, stdio, { permit })).toMatchObject({ value: { holder: 'carol' } });
    expect(asked).toHaveLength(1);
  });
});

describe('the old owner', () => {
  it('is told who took it and what it can still do, whatever it tries (assistants:2.3)', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    const { handoffId } = await ok(take(world, bob));
    const { handoffs } = world;
    const told = {
      code: 'FORBIDDEN',
      message: `bob took this session over at ${iso(world.clock.now)}; you were silent since ${iso(T0)}. Send what it should know with handOff {to: "bob", requestType: "context_transfer", sessionKey: "${KEY}"}`,
      details: {
        ...{ sessionKey: KEY, owner: 'bob', handoffId, authority: 'operator' },
        ...{ takenAt: iso(world.clock.now), silentSince: iso(T0) },
      },
    };
    const full = { sessionKey: KEY, requestType: 'full_handoff' } as const;
    const tried = [
      write(world, alice),
      handoffs.handOff(alice, { sessionKey: KEY, goal: 'a goal' }, stdio),
      handoffs.handOff(alice, { sessionKey: KEY, goal: 'a goal', to: 'carol' }, stdio),
      handoffs.requestHandoff(alice, { ...full, targetAgent: 'carol' }),
      handoffs.closeSession(alice, { sessionKey: KEY, outcome: 'done' }),
      handoffs.closeSession(alice, { sessionKey: KEY, outcome: 'done', summary: 'all of it' }),
      handoffs.park(alice, { ...full, takers: ['*'], until: world.clock.now + 1, by: 'owner' }),
      handoffs.withdraw(alice, { sessionKey: KEY }),
    ];
    for (const outcome of await Promise.all(tried)) expect(outcome).toEqual({ rejection: told });
  });

  it('reads what it wrote, and not what comes after', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    await ok(take(world, bob));
    await ok(write(world, bob, 'later'));
    const { entries } = await ok(world.handoffs.readContext(alice, { sessionKey: KEY, afterSequence: 0 }));
    expect(entries.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1]);
  });

  it('sends what the taker should know, as it is told', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    await ok(take(world, bob));
    const sent = { to: 'bob', requestType: 'context_transfer', goal: 'what I know' } as const;
    expect(await ok(world.handoffs.handOff(alice, sent, { ...stdio, instance: '0a1b2c3d' }))).toMatchObject({
      to: 'bob',
      phase: 'offered',
    });
  });

  it('takes it back by the same rule: the taking counts as activity of the taker', async () => {
    const world = await worldWithWork();
    pass(world, 600);
    await ok(take(world, bob));
    pass(world, 599);
    expect(await take(world, alice)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    pass(world, 1);
    expect(await take(world, alice)).toMatchObject({ value: { holder: 'alice', from: 'bob' } });
    expect(await write(world, alice)).toMatchObject({ value: {} });
    await expectSound(world);
  });
});

describe('a person', () => {
  const person = agent('operator');
  const takeFor = (world: World, more: object = {}) =>
    world.handoffs.takeFor(person, { sessionKey: KEY, to: 'bob', now: false, ...more });

  it('waits for the grace, or does not (assistants:O3)', async () => {
    const world = await worldWithWork({ HANDOVER_TAKEOVER: 'person' });
    expect(await takeFor(world)).toMatchObject({
      rejection: { code: 'FORBIDDEN', details: { possibleAt: iso(T0 + 600 * SECOND) } },
    });
    const made = await ok(takeFor(world, { now: true, reason: 'limit reached' }));
    expect(made).toMatchObject({
      ...{ holder: 'bob', from: 'alice', authority: 'operator', silentSince: T0 },
      answerReason: 'limit reached',
    });
    expect(made.reason).toContain('by the person');
    await expectSound(world);
  });

  it('gives it to agents only, and not to its owner', async () => {
    const world = await worldWithWork();
    for (const to of ['operator', '_x', 'person:x', 'a\nb', ''])
      expect(await takeFor(world, { to, now: true })).toMatchObject({
        rejection: { code: 'VALIDATION_ERROR' },
      });
    expect(await takeFor(world, { to: 'alice', now: true })).toMatchObject({
      rejection: { code: 'VALIDATION_ERROR', details: { owner: 'alice' } },
    });
  });

  it('takes nothing that is over, unknown, or where it is switched off', async () => {
    const world = await worldWithWork();
    await ok(world.handoffs.closeSession(alice, { sessionKey: KEY, outcome: 'done' }));
    expect(await takeFor(world, { now: true })).toMatchObject({
      rejection: { code: 'SESSION_EXPIRED', details: { currentStatus: 'completed' } },
    });
    expect(await takeFor(world, { sessionKey: 'none' })).toMatchObject({
      rejection: { code: 'SESSION_NOT_FOUND' },
    });
    const off = await worldWithWork({ HANDOVER_TAKEOVER: 'off' });
    expect(await takeFor(off, { now: true })).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
  });
});

it('nothing is left for a name of the server (assistants:O6)', async () => {
  const world = await worldWithWork();
  const left = { sessionKey: KEY, requestType: 'full_handoff', until: T0 + 1, by: 'owner' } as const;
  for (const taker of ['operator', '_x', 'person:x'])
    expect(await world.handoffs.park(alice, { ...left, takers: [taker] })).toMatchObject({
      rejection: { code: 'VALIDATION_ERROR' },
    });
});

describe('what is listed as silent', () => {
  it('comes newest first, without what is empty, left for the agent, or offered to somebody', async () => {
    const world = createWorld();
    const open = async (sessionKey: string, text = true) => {
      pass(world, 1);
      await ok(world.handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }, stdio));
      const entry = { sessionKey, contextType: 'message', content: 'text' };
      if (text) await ok(world.handoffs.updateContext(alice, entry));
    };
    const offered = (sessionKey: string, autoCommit: boolean) =>
      ok(
        world.handoffs.requestHandoff(alice, {
          ...{ sessionKey, targetAgent: 'bob', requestType: 'full_handoff', autoCommit },
        }),
      );
    for (const key of ['z', 'a', 'parked', 'offered', 'accepted', 'closed']) await open(key);
    await open('empty', false);
    await ok(world.handoffs.handOff(alice, { sessionKey: 'parked', goal: 'a goal' }, stdio));
    await offered('offered', true);
    const { handoffId } = await offered('accepted', false);
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    await ok(world.handoffs.closeSession(alice, { sessionKey: 'closed', outcome: 'done' }));
    pass(world, 600);
    expect(await silent(world, bob)).toEqual(['accepted', 'a', 'z']);
    expect(await silent(world, carol)).toEqual(['a', 'z']);
    expect(await silent(world, alice)).toEqual([]);
  });
});

describe('what is left for whoever comes next', () => {
  it.each([
    [{}, false],
    [{ HANDOVER_OPEN_PARKING: '1' }, true],
  ])('over HTTP with %j (assistants:K5a)', async (env, isOpen) => {
    const world = await worldWithWork(env, http);
    await ok(world.handoffs.handOff(alice, { sessionKey: KEY, goal: 'a goal' }, http));
    const args = { accept: true, take: false, tokenBudget: 4_000 };
    const resumed = await ok(world.handoffs.resume(bob, args, http));
    expect(resumed.kind).toBe(isOpen ? 'parked' : 'nothing');
    expect(resumed.yours).toBe(isOpen);
  });
});

/** What is shown of what waits: in which order, to whom, and what of it once (assistants:8). */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../packages/server/src/auth/principal.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { AgentDirectory } from '../../packages/server/src/services/agents/agent-directory.js';
import { waitingFor } from '../../packages/server/src/services/agents/who-am-i.js';
import { answerLine, takeHook } from '../../packages/server/src/services/handoffs/hook-visits.js';
import { answerWaiting } from '../../packages/server/src/services/handoffs/waiting/answer-waiting.js';
import type { Inboxes } from '../../packages/server/src/services/handoffs/waiting/inboxes.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob, carol } from '../kit/principals.js';
import { createWorld, type World } from './world.js';

process.env.TZ = 'UTC';
const SHOP = { id: 'dir:0123456789abcdef', name: 'shop' };
const OTHER = { id: 'dir:fedcba9876543210', name: 'other' };
const MINUTE = 60_000;

let world: World;
let directory: AgentDirectory;
beforeEach(() => {
  world = createWorld();
  directory = new AgentDirectory({ agents: world.store.agents, now: () => world.clock.now, log: silentLog });
});

const at = (project: typeof SHOP) => ({
  ...{ transport: 'stdio' as const, since: 0, project, instance: '0123abcd', toolsets: new Set([]) as never },
});

async function work(owner: Principal, sessionKey: string, project = SHOP): Promise<void> {
  const args = { sessionKey, agentFrom: owner.agent };
  await ok(world.handoffs.registerSession(owner, args, at(project)));
  const entry = { sessionKey, contextType: 'message' as const, content: `The goal of ${sessionKey}.` };
  await ok(world.handoffs.updateContext(owner, { ...entry, metadata: { note: 'goal' } }));
}

const offer = (owner: Principal, sessionKey: string, target: Principal, autoCommit = true) =>
  ok(
    world.handoffs.requestHandoff(owner, {
      ...{ sessionKey, targetAgent: target.agent, requestType: 'full_handoff', autoCommit },
    }),
  );

const takeOver = (taker: Principal, sessionKey: string) =>
  ok(
    world.handoffs.takeOver(taker, {
      ...{ sessionKey, policy: { by: 'silent', afterSecs: 0 }, lastSignAt: 0 },
    }),
  );

interface Told {
  readonly text?: string;
  readonly upTo?: number;
}

async function hook(who: Principal, more: object = {}, transport: 'stdio' | 'http' = 'stdio'): Promise<Told> {
  const conversation = { client: 'claude', clientSession: 'c1', event: 'SessionStart', project: SHOP };
  const line = JSON.stringify({ ...conversation, ...more });
  const hooks = { handoffs: world.handoffs, directory, now: () => world.clock.now };
  return (await answerLine(line, (body) => takeHook(hooks, who, body, { transport }))) as Told;
}

const shown = (who: Principal, { upTo }: Told, project: typeof SHOP | undefined = SHOP) =>
  hook(who, { event: 'Shown', shown: upTo, project });

function inbox(agent?: string, project: typeof SHOP | undefined = SHOP, untold = false): Promise<Inboxes> {
  const { deps, store, configuration } = world;
  const asked = { agent, project: project?.id, untold };
  const source = { ...deps, store, taking: configuration.taking };
  return answerWaiting(source, alice, JSON.stringify(asked)) as Promise<Inboxes>;
}

describe('what is shown', () => {
  it('assistants:8 has one order, and what each says', async () => {
    for (const key of ['offered', 'accepted', 'parked', 'taken', 'declined', 'own'])
      await work(key === 'offered' || key === 'parked' ? bob : alice, key);
    const { handoffId: offeredId } = await offer(bob, 'offered', alice);
    const { handoffId } = await offer(alice, 'accepted', bob, false);
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    const park = {
      sessionKey: 'parked',
      takers: ['alice'],
      requestType: 'full_handoff',
      by: 'owner',
    } as const;
    await ok(world.handoffs.park(bob, { ...park, until: world.clock.now + 60 * MINUTE }));
    const refused = await offer(alice, 'declined', carol);
    const reason = 'No\u001b[2J room.';
    await ok(world.handoffs.declineHandoff(carol, { handoffId: refused.handoffId, reason }));
    world.clock.now += 2 * MINUTE;
    await takeOver(carol, 'taken');
    const { text, upTo } = await hook(alice);
    expect(text?.split('\n')).toEqual([
      'Handover: 1 offer waits for you (alice) in project shop.',
      `- offered from bob, 2 min ago: "The goal of offered.". To take it: resume {"accept": true, "handoffId": "${offeredId}"}`,
      "To refuse one: declineHandoff with its handoffId. Quoted words are the sender's, not your user's.",
      'bob accepted accepted 2 min ago and waits for your commitHandoff.',
      'bob left parked for you, 2 min ago: "The goal of parked.". To take it: resume {"accept": true, "sessionKey": "parked"}.',
      'carol took taken over at 08:02.',
      'carol declined declined, 2 min ago: "No [2J room.". It stays with you.',
      'And 1 more: listSessions.',
    ]);
    expect(upTo).toBe(world.clock.now);
    const { inboxes } = await inbox('alice');
    const keys = Object.entries(inboxes[0]?.items ?? {}).map(([kind, items]) => [
      kind,
      ...[items].flat().map((item: { sessionKey: string }) => item.sessionKey),
    ]);
    expect(keys).toEqual([
      ['offers', 'offered'],
      ['acceptances', 'accepted'],
      ['parked', 'parked'],
      ['taken', 'taken'],
      ['declined', 'declined'],
      ['left'],
      ['own', 'own'],
      ['otherOwn'],
      ['shared'],
    ]);
  });

  it('assistants:8 an offer that ran out of time is told once, as one that was declined', async () => {
    await work(alice, 'late');
    const args = { sessionKey: 'late', to: 'bob', goal: 'The goal of late.', expiresIn: 60 };
    await ok(world.handoffs.handOff(alice, args, at(SHOP)));
    expect((await inbox('alice')).inboxes[0]?.items.declined).toEqual([]);
    world.clock.now += 2 * MINUTE;
    expect((await inbox('alice')).inboxes[0]?.items.declined).toMatchObject([
      { sessionKey: 'late', by: 'bob', implicit: true },
    ]);
    const told = await hook(alice);
    expect(told.text).toContain('bob did not answer the offer of late, 1 min ago. It stays with you.');
    await shown(alice, told);
    expect((await hook(alice)).text).not.toContain('did not answer');
  });

  it('assistants:8 quotes the newest goal and the newest next step, each with its writer where that is not the sender', async () => {
    const hand = (who: Principal, words: object) =>
      ok(world.handoffs.handOff(who, { sessionKey: 'k', ...words }, at(SHOP)));
    await work(alice, 'k');
    await hand(alice, { to: 'bob', goal: 'Ship it.', next: ['Write the test'] });
    const line = async (who: Principal) =>
      (await hook(who)).text?.split('\n').find((one) => one.includes('k from '));
    expect(await line(bob)).toBe('- k from alice, just now: "Ship it." next: "Write the test"');
    await hand(alice, { to: 'bob', next: ['Run the test'] });
    expect(await line(bob)).toBe('- k from alice, just now: "Ship it." next: "Run the test"');
    expect((await inbox('alice')).inboxes[0]?.items.own).toMatchObject({ sessionKey: 'k', to: 'bob' });
    const [{ handoffId = '' } = {}] = (await inbox('bob')).inboxes[0]?.items.offers ?? [];
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    await hand(bob, { to: 'carol', next: ['Tell ann'] });
    expect(await line(carol)).toBe('- k from bob, just now: "Ship it." (words of alice) next: "Tell ann"');
  });

  it('assistants:V2 an acceptance waits in the inbox of its owner, in the hook and in whoAmI, until the commit', async () => {
    await work(alice, 'work');
    const { handoffId } = await offer(alice, 'work', bob, false);
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    const all = async () => [
      (await hook(alice)).text?.includes('bob accepted work'),
      (await inbox('alice')).inboxes[0]?.items.acceptances.map((item) => item.handoffId),
      (await waitingFor(world.handoffs, alice, { transport: 'stdio' })).acceptances,
    ];
    expect(await all()).toEqual([true, [handoffId], 1]);
    await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    expect(await all()).toEqual([undefined, [], 0]);
  });

  it('assistants:V3 says once what was taken, once it was really shown, also if it has moved on', async () => {
    await work(alice, 'work');
    world.clock.now += MINUTE;
    await takeOver(bob, 'work');
    await offer(bob, 'work', carol).then(({ handoffId }) =>
      ok(world.handoffs.acceptHandoff(carol, { handoffId })),
    );
    const told = await hook(alice);
    expect(told.text).toBe('bob took work over at 08:01.');
    // Nobody said that it was shown.
    expect((await hook(alice)).text).toBe(told.text);
    const seenAt = world.clock.now;
    world.clock.now += MINUTE;
    expect(await shown(alice, told)).toEqual({});
    // A person may look for an agent that is away.
    const { heartbeats, looks } = (await world.store.agents.find('default', 'alice')) ?? {};
    expect([heartbeats, looks]).toEqual([{ [SHOP.id]: seenAt }, { [SHOP.id]: seenAt }]);
    expect(await hook(alice)).toEqual({});
    // What the agent was told is news to its person all the same, for a week.
    const taken = async (untold = false) => (await inbox('alice', SHOP, untold)).inboxes[0]?.items.taken;
    expect(await taken()).toMatchObject([{ sessionKey: 'work', by: 'bob' }]);
    expect(await taken(true)).toEqual([]);
    world.clock.now += 7 * 24 * 60 * MINUTE;
    expect(await taken()).toEqual([]);
  });

  it('assistants:V3 says once who went on with what a hook had left; what the owner left itself is no news', async () => {
    const leave = (sessionKey: string, by: 'owner' | 'hook') =>
      ok(
        world.handoffs.park(alice, {
          ...{ sessionKey, takers: ['*'], requestType: 'full_handoff', by, until: world.clock.now + MINUTE },
          ...(by === 'hook' && { event: 'StopFailure' }),
        }),
      );
    for (const [key, by] of [
      ['limited', 'hook'],
      ['left', 'owner'],
    ] as const) {
      await work(alice, key);
      await leave(key, by);
      await ok(world.handoffs.pickUp(bob, { sessionKey: key, anyone: true }));
    }
    const told = await hook(alice);
    expect(told.text).toBe('bob went on with limited at 08:00.');
    expect((await inbox('alice')).inboxes[0]?.items.taken).toMatchObject([
      { sessionKey: 'limited', by: 'bob', pickedUp: true },
    ]);
    world.clock.now += MINUTE;
    await shown(alice, told);
    expect(await hook(alice)).toEqual({});
  });

  it('assistants:V3 says no time up to which all was told when something had no room', async () => {
    await work(alice, 'work');
    await takeOver(carol, 'work');
    for (let n = 0; n < 5; n++) {
      await work(bob, `offered-${n}`);
      await offer(bob, `offered-${n}`, alice);
    }
    const { text, upTo } = await hook(alice);
    expect(text).not.toContain('took');
    expect(text).toContain('And 1 more');
    expect(upTo).toBeUndefined();
  });

  it('assistants:V3 a look at one project is none at another, and one at all is one at each', async () => {
    await work(alice, 'work');
    world.clock.now += MINUTE;
    await takeOver(bob, 'work');
    await shown(alice, { upTo: world.clock.now }, OTHER);
    expect((await hook(alice)).text).toBe('bob took work over at 08:01.');
    await hook(alice, { event: 'Shown', shown: world.clock.now + 9e9, project: undefined });
    expect(await hook(alice)).toEqual({});
    world.clock.now += MINUTE;
    await work(alice, 'more');
    world.clock.now += MINUTE;
    await takeOver(bob, 'more');
    // A time in the future would have hidden this one.
    expect((await hook(alice)).text).toBe('bob took more over at 08:03.');
  });

  it('assistants:V3 does not tell who has it back, nor what is a week old', async () => {
    await work(alice, 'work');
    await work(alice, 'old');
    await takeOver(bob, 'old');
    world.clock.now += 8 * 24 * 60 * MINUTE;
    await takeOver(bob, 'work');
    await takeOver(alice, 'work');
    expect((await hook(alice)).text).not.toContain('took');
  });

  it('assistants:V4 says nothing to another agent, nor in another project', async () => {
    await work(alice, 'work');
    await offer(alice, 'work', bob);
    expect((await hook(bob)).text).toContain('1 offer waits');
    expect(await hook(carol)).toEqual({});
    expect(await hook(bob, { project: OTHER })).toEqual({});
    expect((await inbox('bob', OTHER)).inboxes[0]?.items.offers).toEqual([]);
    expect((await inbox('bob', undefined)).inboxes[0]?.items.offers).toHaveLength(1);
  });

  it('what is left for whoever comes next is told on this machine, and over HTTP only where that is open', async () => {
    await work(alice, 'work');
    const park = { sessionKey: 'work', takers: ['*'], requestType: 'full_handoff', by: 'owner' } as const;
    await ok(world.handoffs.park(alice, { ...park, until: world.clock.now + 60 * MINUTE }));
    const line =
      'alice left work for whoever goes on, just now: "The goal of work.". To take it: resume {"accept": true}.';
    expect((await hook(bob)).text).toBe(line);
    expect(await hook(bob, {}, 'http')).toEqual({});
    const all = await inbox();
    expect(all.anyone.map(({ sessionKey }) => sessionKey)).toEqual(['work']);
    expect(all.inboxes.map(({ agent, items }) => [agent, items.own?.sessionKey])).toEqual([
      ['alice', 'work'],
    ]);
  });

  it('a silent owner is named when its grace is over', async () => {
    await work(alice, 'work');
    world.clock.now += 601_000;
    expect((await hook(bob)).text).toBe(
      'alice left work 10 min ago without handing it over: "The goal of work.". To take it, if the user wants you to go on: resume {"take": true}.',
    );
    expect(await hook(bob, { project: OTHER })).toEqual({});
  });

  describe('work of an owner that may be silent', () => {
    const soon = (key: string, ago: string, from: string) =>
      `alice has ${key}, last seen ${ago} ago: "The goal of ${key}.". If it stays silent, from ${from} on: resume {"take": true}, or now, if the user says so: handover take ${key} --to bob --now.`;

    it('assistants:2.3 is named once its owner gave no sign for a minute, with the way of the user', async () => {
      await work(alice, 'work');
      world.clock.now += 59_000;
      expect(await hook(bob)).toEqual({});
      world.clock.now += 61_000;
      expect((await hook(bob)).text).toBe(soon('work', '2 min', '08:10'));
      const [one] = (await inbox('bob')).inboxes;
      expect(one?.items.soon).toMatchObject({ sessionKey: 'work', by: 'alice', goal: 'The goal of work.' });
      // Its owner's turn has ended: it is there.
      await hook(alice, { event: 'Stop' });
      expect(await hook(bob)).toEqual({});
      world.clock.now += 120_000;
      expect((await hook(bob)).text).toBe(soon('work', '2 min', '08:12'));
    });

    it('assistants:V4 is named in its project alone, and the one that may be taken next', async () => {
      await work(alice, 'work');
      world.clock.now += 120_000;
      await work(alice, 'other', OTHER);
      // A sign in one project is none in the other.
      world.clock.now += 60_000;
      await work(carol, 'later');
      world.clock.now += 120_000;
      expect((await hook(bob)).text).toBe(soon('work', '5 min', '08:10'));
      expect((await hook(bob, { project: OTHER })).text).toBe(soon('other', '3 min', '08:12'));
    });

    it('is not named where agents may not take, nor to whoever may not claim', async () => {
      for (const takeOver of ['off', 'person'] as const) {
        world = createWorld(undefined, { HANDOVER_TAKEOVER: takeOver });
        await work(alice, 'work');
        world.clock.now += 120_000;
        expect(await hook(bob)).toEqual({});
        expect((await inbox('bob')).inboxes[0]?.items).not.toHaveProperty('soon');
      }
      world = createWorld();
      await work(alice, 'work');
      world.clock.now += 120_000;
      expect(await hook({ ...bob, scopes: new Set(['handoff:read']) })).toEqual({});
    });

    it('is not named to whoever had it before', async () => {
      await work(alice, 'work');
      const { handoffId } = await offer(alice, 'work', bob);
      await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
      world.clock.now += 120_000;
      expect((await hook(carol)).text).toContain('bob has work');
      expect(await hook(alice)).toEqual({});
    });

    it('over HTTP says neither what it is about nor a command of another machine', async () => {
      await work(alice, 'work');
      world.clock.now += 120_000;
      expect((await hook(bob, {}, 'http')).text).toBe(
        'alice has work, last seen 2 min ago. If it stays silent, from 08:10 UTC on: resume {"take": true}.',
      );
    });
  });

  it('reads only rows of sessions that are over', async () => {
    for (let n = 0; n < 20; n++) {
      await work(alice, `work-${n}`);
      const { handoffId } = await offer(alice, `work-${n}`, bob);
      await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    }
    world.clock.now += 9 * 24 * 60 * MINUTE;
    let read = 0;
    const { engine } = world;
    const query = (ref: never) => {
      read++;
      return engine.query(ref);
    };
    const counting = { list: engine.list.bind(engine), query };
    const source = { ...world.deps, store: world.store, taking: world.configuration.taking };
    const looking = { ...source, engine: counting as never };
    await answerWaiting(looking, alice, JSON.stringify({ agent: 'alice', project: SHOP.id }));
    expect(read).toBeLessThan(25);
    read = 0;
    await answerWaiting(looking, alice, JSON.stringify({ agent: 'carol', project: OTHER.id }));
    expect(read).toBe(0);
  });

  it.each(['{', '[]', '{"agent": "operator"}', '{"agent": 7}', '{"project": "a\\nb"}'])(
    'a question that makes no sense is refused: %s',
    async (line) => {
      const source = { ...world.deps, store: world.store, taking: world.configuration.taking };
      const answer = await answerWaiting(source, alice, line);
      expect('refused' in answer).toBe(line !== '[]');
    },
  );
});

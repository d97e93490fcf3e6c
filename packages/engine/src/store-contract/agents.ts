/** What the store knows of agents beside the log: when they were there. */
import { BEGINNING } from '../cursor.js';
import { AGENT_LIMITS } from '../store.js';
import { assertEqual, type ContractCase, onStore } from './case.js';
import { append, entryOf, store as storeAll, streamRef } from './fixtures.js';

const tenant = 'tenant-a';

export const agentCases: readonly ContractCase[] = [
  onStore(
    'an agent is remembered with its first and its last time, whatever the order of the notes',
    async (s) => {
      for (const at of [20, 10, 30]) await s.agents.note({ tenant, agent: 'ann', at });
      await s.agents.note({ tenant, agent: 'ann', at: 25, lookIn: 'git:1' });
      await s.agents.note({ tenant, agent: 'ann', at: 23, lookIn: 'git:1' });
      await s.agents.note({ tenant, agent: 'ann', at: 28, lookIn: '' });
      await s.agents.note({ tenant, agent: 'ann', at: 26, heartbeatIn: 'git:1' });
      await s.agents.note({ tenant, agent: 'ann', at: 24, heartbeatIn: 'git:1' });
      await s.agents.note({ tenant, agent: 'ann', at: 27, heartbeatIn: '' });
      const ann = {
        agent: 'ann',
        firstSeenAt: 20,
        lastSeenAt: 30,
        looks: { 'git:1': 25, '': 28 },
        heartbeats: { 'git:1': 26, '': 27 },
      };
      assertEqual(await s.agents.find(tenant, 'ann'), ann, 'found');
      assertEqual(await s.agents.find('tenant-b', 'ann'), undefined, 'of another tenant');
      assertEqual(await s.agents.find(tenant, 'bob'), undefined, 'one that never came');
      assertEqual(await s.behind(BEGINNING), 0, 'the log does not move');
    },
  ),
  onStore('of an agent with ever new projects the newest signs are kept', async (s) => {
    const most = AGENT_LIMITS.projectsOfAgent;
    const all = Array.from({ length: most + 9 }, (_, i) => `git:${i}`);
    await s.agents.note({ tenant, agent: 'bob', at: 1, heartbeatIn: 'git:0', lookIn: 'git:0' });
    for (const [at, project] of all.entries())
      await s.agents.note({ tenant, agent: 'ann', at: at + 1, heartbeatIn: project, lookIn: project });
    await s.agents.note({ tenant, agent: 'ann', at: 1, heartbeatIn: 'git:late' });
    const { looks = {}, heartbeats = {} } = (await s.agents.find(tenant, 'ann')) ?? {};
    assertEqual(Object.keys(heartbeats).sort(), all.slice(-most).sort(), 'heartbeats');
    assertEqual(Object.keys(looks).sort(), all.slice(-most).sort(), 'looks');
    assertEqual((await s.agents.find(tenant, 'bob'))?.heartbeats, { 'git:0': 1 }, 'of another agent');
  }),
  onStore('agents are listed by their last time, then those who only took part, each once', async (s) => {
    const ref = streamRef('a', tenant);
    const involved = ['zoe', 'bob', 'ann'].map((agent) => ({ agent, role: 'member' }));
    await storeAll(s, append(ref, [entryOf(ref, 1)], { involved }));
    await s.agents.note({ tenant, agent: 'ann', at: 1 });
    await s.agents.note({ tenant, agent: 'cat', at: 2 });
    await s.agents.note({ tenant: 'tenant-b', agent: 'dan', at: 3 });
    const all = [
      { agent: 'cat', lastSeenAt: 2 },
      { agent: 'ann', lastSeenAt: 1 },
      { agent: 'bob', lastSeenAt: null },
      { agent: 'zoe', lastSeenAt: null },
    ];
    assertEqual(await s.agents.list(tenant, 10), all, 'all');
    assertEqual(await s.agents.list(tenant, 3), all.slice(0, 3), 'some');
    assertEqual(await s.agents.list('tenant-c', 3), [], 'nobody');
  }),
  onStore('of those who never came, only whoever has one of the parts is listed', async (s) => {
    const ref = streamRef('a', tenant);
    const involved = [
      ...[1, 2, 3].map((n) => ({ agent: `_list/${n}`, role: 'writer' })),
      ...['zoe', 'bob', 'ann'].map((agent) => ({ agent, role: 'named' })),
      ...['zoe', 'cat'].map((agent) => ({ agent, role: 'writer' })),
    ];
    await storeAll(s, append(ref, [entryOf(ref, 1)], { involved }));
    await s.agents.note({ tenant, agent: 'ann', at: 1 });
    const names = async (...[limit, role]: [number, string]) =>
      (await s.agents.list(tenant, limit, [{ kind: ref.kind, role }])).map(({ agent }) => agent);
    assertEqual(await names(10, 'writer'), ['ann', '_list/1', '_list/2', '_list/3', 'cat', 'zoe'], 'writers');
    assertEqual(await names(10, 'named'), ['ann', 'bob', 'zoe'], 'named');
    assertEqual(await names(2, 'named'), ['ann', 'bob'], 'some');
    assertEqual(await names(10, 'none'), ['ann'], 'of no part');
    const other = [{ kind: 'operation' as const, role: 'writer' }];
    assertEqual((await s.agents.list(tenant, 10, other)).length, 1, 'of another kind');
  }),
  onStore('the last times of several streams, in the order in which they were asked for', async (s) => {
    const [one, two, none] = [streamRef('one', tenant), streamRef('two', tenant), streamRef('none', tenant)];
    const entries = [entryOf(one, 1), entryOf(one, 2)];
    await storeAll(s, append(one, entries), append(two, [entryOf(two, 1)]));
    const heads = await s.heads([two, none, one]);
    const at = entries[1]?.at ?? 0;
    assertEqual(heads, [{ seq: 1, at: entryOf(two, 1).at }, undefined, { seq: 2, at }], 'heads');
    assertEqual(await s.heads([]), [], 'of none');
  }),
];

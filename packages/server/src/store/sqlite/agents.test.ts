/** However many names come, so many rows are kept of agents, in every store (assistants:1.6, assistants:5.1). */
import type { AgentSign, AgentStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { createMemoryAgents } from '../../../../engine/src/memory-agents.js';
import { createAgentFinder, createAgentTable, createAgentVerbs } from './agents.js';
import { openDatabase } from './driver.js';
import { migrate } from './schema.js';

const limits = { agents: 20, projectsOfAgent: 5, projects: 30 };
const tenant = 'default';

function sqliteAgents(): AgentStore {
  const db = openDatabase(':memory:');
  migrate(db, ':memory:');
  const note = createAgentTable(db, limits);
  const find = createAgentFinder(db);
  return createAgentVerbs(
    async (request) => note(request),
    async (request) => find(request),
  );
}

describe.each([
  ['memory', () => createMemoryAgents(() => [], limits)],
  ['sqlite', sqliteAgents],
])('%s', (_name, open) => {
  const noteAll = async (agents: AgentStore, signs: readonly Omit<AgentSign, 'tenant'>[]) => {
    for (const sign of signs) await agents.note({ tenant, ...sign });
  };
  const kept = async (agents: AgentStore, kind: 'looks' | 'heartbeats', names: readonly string[]) => {
    const found = await Promise.all(names.map((name) => agents.find(tenant, name)));
    return found.flatMap((one) =>
      Object.keys(one?.[kind] ?? {}).map((project) => `${one?.agent} ${project}`),
    );
  };

  it('keeps so many agents, and with an agent go its signs', async () => {
    const agents = open();
    const names = Array.from({ length: 200 }, (_, i) => `a${i}`);
    await noteAll(
      agents,
      names.map((agent, at) => ({ agent, at, heartbeatIn: 'p', lookIn: 'p' })),
    );
    const listed = (await agents.list(tenant, 1_000)).map(({ agent }) => agent);
    expect(listed.length).toBeLessThanOrEqual(22);
    expect(listed.slice(0, 20)).toEqual(names.slice(-20).reverse());
    await noteAll(agents, [{ agent: 'a0', at: 500 }]);
    expect(await agents.find(tenant, 'a0')).toMatchObject({ firstSeenAt: 500, looks: {}, heartbeats: {} });
  });

  it.each(['looks', 'heartbeats'] as const)('keeps so many %s in all, the newest', async (kind) => {
    const agents = open();
    const names = Array.from({ length: 15 }, (_, i) => `a${i}`);
    const where = (project: string) => (kind === 'looks' ? { lookIn: project } : { heartbeatIn: project });
    const signs = Array.from({ length: 150 }, (_, at) => ({ agent: `a${at % 15}`, at, ...where(`p${at}`) }));
    await noteAll(agents, signs);
    const found = await kept(agents, kind, names);
    expect(found.length).toBeLessThanOrEqual(33);
    expect(found).toEqual(expect.arrayContaining(signs.slice(-30).map(({ agent, at }) => `${agent} p${at}`)));
    // Nobody loses its place in the list of agents by this.
    expect(await agents.list(tenant, 100)).toHaveLength(15);
  });
});

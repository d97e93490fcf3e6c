import type { AgentRecord, AgentStore } from './store.js';
import { compareUtf8 } from './utf8-order.js';

/** Who was here, kept in memory. It passes the same contract suite as every store. */
export function createMemoryAgents(
  assertOpen: () => void,
  /** All agents that are involved in a stream of the tenant. */
  involved: (tenant: string) => Iterable<string>,
): AgentStore {
  const tenants = new Map<string, Map<string, AgentRecord>>();
  const seenIn = (tenant: string) => tenants.get(tenant) ?? new Map<string, AgentRecord>();
  return {
    async note({ tenant, agent, at, lookIn, heartbeatIn }) {
      assertOpen();
      const rows = seenIn(tenant);
      const before = rows.get(agent);
      rows.set(agent, {
        agent,
        firstSeenAt: before?.firstSeenAt ?? at,
        lastSeenAt: Math.max(before?.lastSeenAt ?? at, at),
        looks: noted(before?.looks, lookIn, at),
        heartbeats: noted(before?.heartbeats, heartbeatIn, at),
      });
      tenants.set(tenant, rows);
    },
    async find(tenant, agent) {
      assertOpen();
      return seenIn(tenant).get(agent);
    },
    async list(tenant, limit) {
      assertOpen();
      const rows = seenIn(tenant);
      const seen = [...rows.values()]
        .sort((a, b) => (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0) || compareUtf8(a.agent, b.agent))
        .map(({ agent, lastSeenAt }) => ({ agent, lastSeenAt }));
      const others = [...new Set(involved(tenant))].filter((agent) => !rows.has(agent)).sort(compareUtf8);
      return [...seen, ...others.map((agent) => ({ agent, lastSeenAt: null }))].slice(0, limit);
    },
  };
}

type Times = Readonly<Record<string, number>>;

function noted(times: Times = {}, project: string | undefined, at: number): Times {
  return project === undefined ? times : { ...times, [project]: Math.max(times[project] ?? at, at) };
}

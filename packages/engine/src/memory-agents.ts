import { AGENT_LIMITS, type AgentLimits, type AgentRecord, type AgentStore, type Part } from './store.js';
import { compareUtf8 } from './utf8-order.js';

interface Kept {
  readonly rows: Map<string, AgentRecord>;
  readonly record: AgentRecord;
}

type Times = Readonly<Record<string, number>>;
type Kind = 'looks' | 'heartbeats';

const KINDS: readonly Kind[] = ['looks', 'heartbeats'];

/** Who was here, kept in memory. It passes the same contract suite as every store. */
export function createMemoryAgents(
  /** All agents that have one of these parts in a stream of the tenant, or any. */
  involved: (tenant: string, parts?: readonly Part[]) => Iterable<string>,
  limits: AgentLimits = AGENT_LIMITS,
): AgentStore {
  const tenants = new Map<string, Map<string, AgentRecord>>();
  const sizes = { agents: 0, looks: 0, heartbeats: 0 };
  const seenIn = (tenant: string) => tenants.get(tenant) ?? new Map<string, AgentRecord>();

  function put(rows: Map<string, AgentRecord>, record: AgentRecord | undefined, agent: string): void {
    const before = rows.get(agent);
    sizes.agents += (record ? 1 : 0) - (before ? 1 : 0);
    for (const kind of KINDS) sizes[kind] += count(record?.[kind]) - count(before?.[kind]);
    if (record) rows.set(agent, record);
    else rows.delete(agent);
  }

  const everybody = (): Kept[] =>
    [...tenants.values()].flatMap((rows) => [...rows.values()].map((record) => ({ rows, record })));

  function trim(): void {
    if (isOver(sizes.agents, limits.agents)) {
      const oldest = everybody().sort((a, b) => (a.record.lastSeenAt ?? 0) - (b.record.lastSeenAt ?? 0));
      for (const { rows, record } of oldest.slice(0, sizes.agents - limits.agents))
        put(rows, undefined, record.agent);
    }
    for (const kind of KINDS) if (isOver(sizes[kind], limits.projects)) trimTimes(kind);
  }

  function trimTimes(kind: Kind): void {
    const oldest = everybody()
      .flatMap(({ rows, record: { agent, [kind]: times } }) =>
        Object.entries(times).map(([project, at]) => ({ rows, agent, project, at })),
      )
      .sort((a, b) => a.at - b.at);
    for (const { rows, agent, project } of oldest.slice(0, sizes[kind] - limits.projects)) {
      const record = rows.get(agent);
      const { [project]: _gone, ...kept } = record?.[kind] ?? {};
      if (record) put(rows, { ...record, [kind]: kept }, agent);
    }
  }

  return {
    async note({ tenant, agent, at, lookIn, heartbeatIn }) {
      const rows = seenIn(tenant);
      const before = rows.get(agent);
      const most = limits.projectsOfAgent;
      tenants.set(tenant, rows);
      const record = {
        agent,
        firstSeenAt: before?.firstSeenAt ?? at,
        lastSeenAt: Math.max(before?.lastSeenAt ?? at, at),
        looks: newest(noted(before?.looks, lookIn, at), most),
        heartbeats: newest(noted(before?.heartbeats, heartbeatIn, at), most),
      };
      put(rows, record, agent);
      trim();
    },
    async find(tenant, agent) {
      return seenIn(tenant).get(agent);
    },
    async list(tenant, limit, parts) {
      const rows = seenIn(tenant);
      const seen = [...rows.values()]
        .sort((a, b) => (b.lastSeenAt ?? 0) - (a.lastSeenAt ?? 0) || compareUtf8(a.agent, b.agent))
        .map(({ agent, lastSeenAt }) => ({ agent, lastSeenAt }));
      const others = [...new Set(involved(tenant, parts))]
        .filter((agent) => !rows.has(agent))
        .sort(compareUtf8);
      return [...seen, ...others.map((agent) => ({ agent, lastSeenAt: null }))].slice(0, limit);
    },
  };
}

const count = (times: Times = {}): number => Object.keys(times).length;

const isOver = (size: number, limit: number): boolean => size > limit + limit / 10;

function noted(times: Times = {}, project: string | undefined, at: number): Times {
  return project === undefined ? times : { ...times, [project]: Math.max(times[project] ?? at, at) };
}

function newest(times: Times, most: number): Times {
  if (count(times) <= most) return times;
  const kept = Object.entries(times).sort(([a, one], [b, other]) => other - one || compareUtf8(a, b));
  return Object.fromEntries(kept.slice(0, most));
}

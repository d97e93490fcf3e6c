/** The tables of agents: when each was here. No part of the log. */
import { AGENT_LIMITS, type AgentLimits, type AgentStore } from '@handover/engine';
import { texts } from './binary-arrays.js';
import type { Connection } from './connection.js';
import { SqlState, sqlState } from './errors.js';
import { BEGIN, COMMIT, ROLLBACK } from './locks.js';
import type { Pool } from './pool.js';
import { whole } from './reads.js';
import { integer, text } from './rows.js';
import type { Row, Step } from './stage.js';

/** Names that an agent only wrote somewhere are as many as it likes: others do not wait for them. */
const NAMES_LOOKED_AT = 10_000;
const TABLES = ['looks', 'heartbeats'] as const;
type Table = (typeof TABLES)[number];

const SEEN: Step = {
  name: 'note-agent',
  text: `INSERT INTO agents VALUES ($1, $2, $3::int8, $3::int8) ON CONFLICT (tenant, agent) DO UPDATE
    SET last_seen = greatest(agents.last_seen, excluded.last_seen)`,
};
const noteIn = (table: Table): Step => ({
  name: `note-${table}`,
  text: `INSERT INTO ${table} VALUES ($1, $2, $3, $4::int8) ON CONFLICT (tenant, agent, project) DO UPDATE
    SET at = greatest(${table}.at, excluded.at)`,
});
const dropOldest = (table: Table): Step => ({
  name: `drop-${table}`,
  text: `DELETE FROM ${table} WHERE tenant = $1 AND agent = $2 AND project IN (
    SELECT project FROM ${table} WHERE tenant = $1 AND agent = $2 ORDER BY at DESC, project OFFSET $3::int8)`,
});
const trims = ({ agents, projects }: AgentLimits): Step[] => [
  {
    name: `trim-agents-${agents}`,
    text: `DELETE FROM agents WHERE (tenant, agent) IN (
      SELECT tenant, agent FROM agents ORDER BY last_seen DESC, tenant, agent OFFSET ${agents})`,
  },
  ...TABLES.map((table) => ({
    name: `orphans-${table}`,
    text: `DELETE FROM ${table} t WHERE NOT EXISTS (SELECT 1 FROM agents a WHERE a.tenant = t.tenant AND a.agent = t.agent)`,
  })),
  ...TABLES.map((table) => ({
    name: `trim-${table}-${projects}`,
    text: `DELETE FROM ${table} WHERE (tenant, agent, project) IN (
      SELECT tenant, agent, project FROM ${table} ORDER BY at DESC, tenant, agent, project OFFSET ${projects})`,
  })),
];

const ONE: Step = {
  name: 'find-agent',
  text: 'SELECT first_seen, last_seen FROM agents WHERE tenant = $1 AND agent = $2',
};
const timesIn = (table: Table): Step => ({
  name: `find-${table}`,
  text: `SELECT project, at FROM ${table} WHERE tenant = $1 AND agent = $2`,
});
const NEWEST: Step = {
  name: 'newest-agents',
  text: 'SELECT agent, last_seen FROM agents WHERE tenant = $1 ORDER BY last_seen DESC, agent LIMIT $2::int8',
};
/** Each step of the recursion finds the next name in the key: it does not read all streams of a name. */
const OTHERS: Step = {
  name: 'involved-agents',
  text: `WITH RECURSIVE names(agent, looked) AS (
      (SELECT agent, 1 FROM involved WHERE tenant = $1 ORDER BY agent LIMIT 1)
      UNION ALL
      SELECT (SELECT i.agent FROM involved i WHERE i.tenant = $1 AND i.agent > n.agent ORDER BY i.agent LIMIT 1), n.looked + 1
      FROM names n WHERE n.agent IS NOT NULL AND n.looked < ${NAMES_LOOKED_AT})
    SELECT n.agent FROM names n WHERE n.agent IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM agents a WHERE a.tenant = $1 AND a.agent = n.agent)
      AND ($3::boolean OR EXISTS (SELECT 1 FROM unnest($4::text[], $5::text[]) p(kind, role) JOIN involved i
        ON i.tenant = $1 AND i.agent = n.agent AND i.kind = p.kind COLLATE "C" AND i.role = p.role COLLATE "C"))
    LIMIT $2::int8`,
};

export function createAgents(pool: Pool, limits: AgentLimits = AGENT_LIMITS): AgentStore {
  // Others may have noted many before this node began.
  let untilTrim = 0;

  async function trim(connection: Connection): Promise<void> {
    try {
      for (const step of trims(limits)) await connection.run([step]);
    } catch (thrown) {
      // Another node trims at the same time; one of them is enough.
      if (sqlState(thrown) !== SqlState.DEADLOCK && sqlState(thrown) !== SqlState.LOCK_TIMEOUT) throw thrown;
    }
  }

  return {
    note: ({ tenant, agent, at, lookIn, heartbeatIn }) =>
      pool.change('the sign of an agent', async (connection) => {
        const who = [tenant, agent];
        const steps: Step[] = [BEGIN, { ...SEEN, values: [...who, at] }];
        for (const [table, project] of [
          ['looks', lookIn],
          ['heartbeats', heartbeatIn],
        ] as const) {
          if (project === undefined) continue;
          steps.push(
            { ...noteIn(table), values: [...who, project, at] },
            { ...dropOldest(table), values: [...who, limits.projectsOfAgent] },
          );
        }
        try {
          await connection.run([...steps, COMMIT]);
        } catch (thrown) {
          if (!connection.isLost) await connection.run([ROLLBACK]);
          throw thrown;
        }
        if (untilTrim-- > 0) return;
        untilTrim = Math.floor(Math.min(limits.agents, limits.projects) / 10) - 1;
        await trim(connection);
      }),
    async find(tenant, agent) {
      const values = [tenant, agent];
      const done = await pool.read([ONE, ...TABLES.map(timesIn)].map((step) => ({ ...step, values })));
      const [one, looks, heartbeats] = done.map(({ rows }) => rows);
      const row = one?.[0];
      if (!row) return undefined;
      return {
        agent,
        firstSeenAt: integer(row[0]),
        lastSeenAt: integer(row[1]),
        looks: timesOf(looks),
        heartbeats: timesOf(heartbeats),
      };
    },
    async list(tenant, limit, parts) {
      const most = whole(limit);
      const roles = parts ?? [];
      const [seen, others] = await pool.read([
        { ...NEWEST, values: [tenant, most] },
        {
          ...OTHERS,
          values: [
            ...[tenant, most, String(parts === undefined)],
            texts(roles.map(({ kind }) => kind)),
            texts(roles.map(({ role }) => role)),
          ],
        },
      ]);
      return [
        ...(seen?.rows ?? []).map(([agent, at]) => ({ agent: text(agent), lastSeenAt: integer(at) })),
        ...(others?.rows ?? []).map(([agent]) => ({ agent: text(agent), lastSeenAt: null })),
      ].slice(0, most);
    },
  };
}

function timesOf(rows: readonly Row[] = []): Record<string, number> {
  return Object.fromEntries(rows.map(([project, at]) => [text(project), integer(at)]));
}

/**
 * The table of agents: when each was here. Like the credentials it is no part of the log: notes run on the writer's
 * connection between batches, look-ups on the reader's.
 */
import {
  AGENT_LIMITS,
  type AgentLimits,
  type AgentRecord,
  type AgentSign,
  type AgentStore,
  type Part,
  type SeenAgent,
} from '@handover/engine';
import type { Database } from './driver.js';
import type { Request } from './protocol.js';
import { blob, integer } from './rows.js';

export interface NoteAgent {
  readonly verb: 'agent.note';
  readonly sign: AgentSign;
}

export type FindAgents =
  | { readonly verb: 'agent.find'; readonly tenant: string; readonly agent: string }
  | {
      readonly verb: 'agent.list';
      readonly tenant: string;
      readonly limit: number;
      readonly parts: readonly Part[] | undefined;
    };

export const notesAgent = (request: Request): request is NoteAgent => request.verb === 'agent.note';
export const findsAgents = (request: Request): request is FindAgents =>
  request.verb === 'agent.find' || request.verb === 'agent.list';

/** Names that an agent only wrote somewhere are as many as it likes: others do not wait for them. */
const NAMES_LOOKED_AT = 10_000;

const TABLES = ['looks', 'heartbeats'] as const;

/** The writing half. */
export function createAgentTable(
  db: Database,
  limits: AgentLimits = AGENT_LIMITS,
): (request: NoteAgent) => void {
  const seen = db.prepare(
    `INSERT INTO agents VALUES (?, ?, ?, ?) ON CONFLICT (tenant, agent) DO UPDATE SET
     last_seen = max(last_seen, excluded.last_seen)`,
  );
  const inProject = (table: string) => {
    const put = db.prepare(
      `INSERT INTO ${table} VALUES (?, ?, ?, ?) ON CONFLICT (tenant, agent, project) DO UPDATE SET
       at = max(at, excluded.at)`,
    );
    const dropOldest = db.prepare(
      `DELETE FROM ${table} WHERE tenant = ? AND agent = ? AND project IN (
         SELECT project FROM ${table} WHERE tenant = ? AND agent = ?
         ORDER BY at DESC, project LIMIT -1 OFFSET ${limits.projectsOfAgent})`,
    );
    return (who: readonly Uint8Array[], project: string, at: number) => {
      put.run([...who, utf8(project), at]);
      dropOldest.run([...who, ...who]);
    };
  };
  const look = inProject('looks');
  const heartbeat = inProject('heartbeats');
  const trim = createTrim(db, limits);
  // The file may come from a process that ended before it looked.
  let untilTrim = 0;
  return ({ sign: { tenant, agent, at, lookIn, heartbeatIn } }) => {
    const who = [utf8(tenant), utf8(agent)];
    seen.run([...who, at, at]);
    if (lookIn !== undefined) look(who, lookIn, at);
    if (heartbeatIn !== undefined) heartbeat(who, heartbeatIn, at);
    if (untilTrim-- > 0) return;
    trim();
    untilTrim = Math.floor(Math.min(limits.agents, limits.projects) / 10) - 1;
  };
}

/** Counting reads the tables, so it is done now and then. */
function createTrim(db: Database, { agents, projects }: AgentLimits): () => void {
  const trims = [
    `DELETE FROM agents WHERE (tenant, agent) IN (
       SELECT tenant, agent FROM agents ORDER BY last_seen DESC, tenant, agent LIMIT -1 OFFSET ${agents})`,
    ...TABLES.map(
      (table) => `DELETE FROM ${table} WHERE (tenant, agent) NOT IN (SELECT tenant, agent FROM agents)`,
    ),
    ...TABLES.map(
      (table) => `DELETE FROM ${table} WHERE (tenant, agent, project) IN (
       SELECT tenant, agent, project FROM ${table}
       ORDER BY at DESC, tenant, agent, project LIMIT -1 OFFSET ${projects})`,
    ),
  ].map((sql) => db.prepare(sql));
  return () => {
    for (const statement of trims) statement.run([]);
  };
}

/** The reading half. */
export function createAgentFinder(db: Database): (request: FindAgents) => unknown {
  const one = db.prepare(
    `SELECT CAST(first_seen AS INTEGER), CAST(last_seen AS INTEGER) FROM agents
     WHERE tenant = ? AND agent = ?`,
  );
  const byProject = (table: string) =>
    db.prepare(
      `SELECT CAST(project AS BLOB), CAST(at AS INTEGER) FROM ${table} WHERE tenant = ? AND agent = ?`,
    );
  const looks = byProject('looks');
  const beats = byProject('heartbeats');
  const newest = db.prepare(
    `SELECT CAST(agent AS BLOB), CAST(last_seen AS INTEGER) FROM agents
     WHERE tenant = ? ORDER BY last_seen DESC, agent LIMIT ?`,
  );
  const isSeen = db.prepare('SELECT 1 FROM agents WHERE tenant = ? AND agent = ?');
  // Each step finds the next name in the key: it does not read all streams of a name.
  const nextInvolved = db.prepare(
    'SELECT CAST(agent AS BLOB) FROM involved WHERE tenant = ? AND agent > ? ORDER BY agent LIMIT 1',
  );

  const hasPart = db.prepare(
    'SELECT 1 FROM involved WHERE tenant = ? AND agent = ? AND kind = ? AND role = ? LIMIT 1',
  );

  function find(tenant: string, agent: string): AgentRecord | undefined {
    const who = [utf8(tenant), utf8(agent)];
    const [row] = one.all(who);
    if (!row) return undefined;
    const [first, last] = row;
    const times = (rows: typeof looks) =>
      Object.fromEntries(rows.all(who).map(([project, at]) => [text(project), integer(at)]));
    return {
      agent,
      firstSeenAt: integer(first),
      lastSeenAt: integer(last),
      looks: times(looks),
      heartbeats: times(beats),
    };
  }

  function list(tenant: string, limit: number, parts?: readonly Part[]): readonly SeenAgent[] {
    const took = (agent: Uint8Array) =>
      parts?.some(
        ({ kind, role }) => hasPart.all([utf8(tenant), agent, utf8(kind), utf8(role)]).length > 0,
      ) ?? true;
    const found: SeenAgent[] = newest
      .all([utf8(tenant), limit])
      .map(([agent, at]) => ({ agent: text(agent), lastSeenAt: integer(at) }));
    let last: Uint8Array = new Uint8Array();
    for (let looked = 0; found.length < limit && looked < NAMES_LOOKED_AT; looked++) {
      const [row] = nextInvolved.all([utf8(tenant), last]);
      if (!row) break;
      last = blob(row[0]);
      const isNew = isSeen.all([utf8(tenant), last]).length === 0;
      if (isNew && took(last)) found.push({ agent: text(last), lastSeenAt: null });
    }
    return found;
  }

  return (request) =>
    request.verb === 'agent.find'
      ? find(request.tenant, request.agent)
      : list(request.tenant, request.limit, request.parts);
}

/** The verbs of the port, over the two threads. */
export const createAgentVerbs = (
  change: (request: NoteAgent) => Promise<unknown>,
  find: (request: FindAgents) => Promise<unknown>,
): AgentStore => ({
  note: async (sign) => void (await change({ verb: 'agent.note', sign })),
  ...createAgentLookUps(find),
});

export const createAgentLookUps = (
  ask: (request: FindAgents) => unknown,
): Pick<AgentStore, 'find' | 'list'> => ({
  find: async (tenant, agent) =>
    (await ask({ verb: 'agent.find', tenant, agent })) as AgentRecord | undefined,
  list: async (tenant, limit, parts) =>
    (await ask({ verb: 'agent.list', tenant, limit, parts })) as readonly SeenAgent[],
});

const utf8 = (value: string): Uint8Array => Buffer.from(value, 'utf8');
const text = (value: unknown): string => Buffer.from(blob(value)).toString();

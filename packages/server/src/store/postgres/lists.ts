/** Lists, counts and due times: they read the rows beside the log. */
import type { StreamKind, StreamRef } from '@handover/core';
import type { ListedStream, ListQuery, Store } from '@handover/engine';
import type { Pool } from './pool.js';
import { whole } from './reads.js';
import { integer, LISTED_COLUMNS, listedOf, refOf } from './rows.js';
import type { Step, Value } from './stage.js';
import { vectorColumns, vectorOf } from './vector-cursor.js';

/** Text sorts above this; there is no id before it. */
const BEFORE_ALL = '';
/** Above every text in UTF-8, compared by bytes. */
const BEYOND = '\u{10ffff}\u{10ffff}';

/** Where nothing is said of creation, nothing is compared. */
const CREATED = (first: number): string =>
  ` AND s.n <= coalesce((SELECT k.n FROM unnest($${first}::int4[], $${first + 1}::int8[]) k(lane, n) WHERE k.lane = s.lane), 0)`;

const OF_AGENT = `FROM involved i JOIN streams s ON s.id = i.stream WHERE i.tenant = $1 AND i.kind = $2 AND i.agent = $5`;

/** Each takes tenant, kind, after, limit; then what is named; then the two columns of a cursor. */
const LISTS = {
  all: {
    own: 0,
    text: (created: string) =>
      `SELECT ${LISTED_COLUMNS} FROM streams s WHERE s.tenant = $1 AND s.kind = $2 AND s.name > $3${created} ORDER BY s.name LIMIT $4::int8`,
  },
  agent: {
    own: 1,
    text: (created: string) =>
      `SELECT ${LISTED_COLUMNS} FROM (SELECT DISTINCT i.name, i.stream FROM involved i
        WHERE i.tenant = $1 AND i.kind = $2 AND i.agent = $5 AND i.name > $3) i
       JOIN streams s ON s.id = i.stream WHERE true${created} ORDER BY i.name LIMIT $4::int8`,
  },
  role: {
    own: 2,
    text: (created: string) =>
      `SELECT ${LISTED_COLUMNS} ${OF_AGENT} AND i.role = $6 AND i.name > $3${created} ORDER BY i.name LIMIT $4::int8`,
  },
  newest: {
    own: 4,
    text: (created: string) =>
      `SELECT ${LISTED_COLUMNS} ${OF_AGENT} AND i.role = $6 AND i.name >= $7 AND i.name < $8 AND i.stream < CASE WHEN $3 = ''
         THEN 9223372036854775807 ELSE coalesce((SELECT id FROM streams WHERE tenant = $1 AND kind = $2 AND name = $3), 0) END${created}
       ORDER BY i.stream DESC LIMIT $4::int8`,
  },
} as const;

/** The index on `due` ends with the stream's id, so a page begins where the one before ended. */
const DUE: Step = {
  name: 'due',
  text: `SELECT s.tenant, s.kind, s.name, s.due FROM streams s WHERE s.due IS NOT NULL AND s.due <= $1::int8 AND (s.due, s.id) >
    ($3::int8, coalesce((SELECT id FROM streams WHERE tenant = $4 AND kind = $5 AND name = $6), 0)) AND ($7 = '' OR s.kind = $7)
    ORDER BY s.due, s.id LIMIT $2::int8`,
};
const COUNT: Step = {
  name: 'count',
  text: `SELECT count(*) FROM involved i JOIN streams s ON s.id = i.stream
    WHERE i.tenant = $1 AND i.agent = $2 AND i.kind = $3 AND i.role = $4 AND s.state = $5`,
};
const USAGE: Step = {
  name: 'usage',
  text: 'SELECT coalesce(sum(bytes), 0)::int8 FROM usage WHERE tenant = $1 AND actor = $2',
};
const USAGE_OF_TENANT: Step = {
  name: 'usage-of-tenant',
  text: 'SELECT coalesce(sum(bytes), 0)::int8 FROM usage_of_tenants WHERE tenant = $1',
};

function listStep(query: ListQuery): Step {
  const { tenant, kind, agent, role, afterId = BEFORE_ALL, limit, createdUpTo, newestFirst } = query;
  const values: Value[] = [tenant, kind, afterId, whole(limit)];
  let name: keyof typeof LISTS = 'all';
  if (newestFirst) {
    name = 'newest';
    values.push(agent ?? '', role ?? '', newestFirst.idPrefix, newestFirst.idPrefix + BEYOND);
  } else if (agent !== undefined) {
    name = role === undefined ? 'agent' : 'role';
    values.push(agent, ...(role === undefined ? [] : [role]));
  }
  const { own, text } = LISTS[name];
  if (createdUpTo === undefined) return { name: `list-${name}`, text: text(''), values };
  values.push(...vectorColumns(vectorOf(createdUpTo)));
  return { name: `list-${name}-created`, text: text(CREATED(5 + own)), values };
}

export function createLists(pool: Pool): Pick<Store, 'list' | 'count' | 'due' | 'usage'> {
  async function numberOf(step: Step): Promise<number> {
    const [done] = await pool.read([step]);
    return integer(done?.rows[0]?.[0]);
  }
  return {
    async list(query): Promise<readonly ListedStream<StreamKind>[]> {
      const [done] = await pool.read([listStep(query)]);
      return (done?.rows ?? []).map((row) => listedOf(row, query));
    },
    count: ({ tenant, agent, kind, role, state }) =>
      numberOf({ ...COUNT, values: [tenant, agent, kind, role, state] }),
    async due({ upTo, limit, kind = '', after }) {
      const { tenant, kind: afterKind, id } = after?.ref ?? { tenant: '', kind: '', id: '' };
      const place = [after?.due ?? Number.MIN_SAFE_INTEGER, tenant, afterKind, id];
      const [done] = await pool.read([{ ...DUE, values: [upTo, whole(limit), ...place, kind] }]);
      return (done?.rows ?? []).map((row): { ref: StreamRef; due: number } => ({
        ref: refOf(row),
        due: integer(row[3]),
      }));
    },
    usage: ({ tenant, actor }) =>
      numberOf(
        actor === undefined
          ? { ...USAGE_OF_TENANT, values: [tenant] }
          : { ...USAGE, values: [tenant, actor] },
      ),
  };
}

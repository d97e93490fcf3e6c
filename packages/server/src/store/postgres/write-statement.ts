/**
 * The one statement that stores a batch. Its last line divides by zero when a head, or the lane, is not where it was: then
 * nothing of it counts, and COMMIT may be sent in the same flush.
 *
 * It is put together from the parts that a batch needs, under a name that says which, so that the server keeps few plans.
 */

import { LEASE } from './lane.js';
import type { Step, Value } from './stage.js';

export interface Part {
  readonly letter: string;
  /** Of the parameters, in order. */
  readonly casts: readonly string[];
  readonly sql: (parameters: readonly string[]) => string;
}

/** Of every batch; the parts' parameters follow. */
const BASE = {
  lane: '$1::int4',
  n: '$2::int8',
  epoch: '$3::int8',
  count: '$4::int8',
  streams: '$5::int8',
  lam: '$6::int8',
};
const FIRST_OF_PARTS = 7;

const unnested = (parameters: readonly string[]): string => `unnest(${parameters.join(', ')})`;

const ENTRIES: Part = {
  letter: 'e',
  casts: [
    'int8',
    'int4',
    'int8',
    'int8',
    'text',
    'text',
    'text',
    'bytea',
    'bytea',
    'bytea',
    'text',
    'bytea',
    'bytea',
  ],
  sql: (
    p,
  ) => `e AS (INSERT INTO entries (lane, n, lam, stream, seq, at, v, type, actor, message_id, payload_hash, prev, hash, facts)
  SELECT ${BASE.lane}, ${BASE.n} + u.i, ${BASE.lam}, u.stream, u.seq, u.at, u.v, u.type, u.actor, u.message_id, u.payload_hash, u.prev, u.hash, u.facts
  FROM ${unnested(p.slice(0, 11))} WITH ORDINALITY u(stream, seq, at, v, type, actor, message_id, payload_hash, prev, hash, facts, i)),
p AS (INSERT INTO payloads SELECT * FROM unnest(${p[0]}, ${p[1]}, ${p[11]}, ${p[12]}))`,
};

/** Sorted, so that two nodes that create the same streams wait for each other and not in a circle. */
const NEW_STREAMS: Part = {
  letter: 's',
  casts: ['int8', 'text', 'text', 'text', 'int8', 'int8', 'text', 'int8', 'text', 'int4', 'int8'],
  sql: (p) => `s AS (INSERT INTO streams (id, tenant, kind, name, lane, n, created_at, state, due, summary)
  SELECT u.id, u.tenant, u.kind, u.name, ${BASE.lane}, u.n, u.created_at, u.state, u.due, u.summary
  FROM ${unnested(p.slice(0, 9))} u(id, tenant, kind, name, n, created_at, state, due, summary) ORDER BY u.tenant, u.kind, u.name),
i AS (INSERT INTO heads (stream, seq, at, lam) SELECT u.id, u.seq, u.at, ${BASE.lam} FROM unnest(${p[0]}, ${p[9]}, ${p[10]}) u(id, seq, at))`,
};

/** The last parameter says how many they are. */
const HEADS: Part = {
  letter: 'h',
  casts: ['int8', 'int4', 'int4', 'int8'],
  sql: (p) => `h AS (UPDATE heads SET seq = u.seq, at = u.at, lam = ${BASE.lam}
  FROM ${unnested(p)} u(stream, was, seq, at) WHERE heads.stream = u.stream AND heads.seq = u.was RETURNING 1)`,
};

const ROWS: Part = {
  letter: 'r',
  casts: ['int8', 'int8', 'text', 'int8', 'text'],
  sql: (
    p,
  ) => `r AS (UPDATE streams SET created_at = u.created_at, state = u.state, due = u.due, summary = u.summary
  FROM ${unnested(p)} u(id, created_at, state, due, summary) WHERE streams.id = u.id)`,
};

const INVOLVED: Part = {
  letter: 'v',
  casts: ['text', 'text', 'text', 'text', 'text', 'int8'],
  sql: (p) => `v AS (INSERT INTO involved (tenant, agent, kind, name, role, stream)
  SELECT * FROM ${unnested(p)} ON CONFLICT DO NOTHING)`,
};

/** Each lane counts for itself, so that nodes that store for the same actor do not wait for each other. */
const USAGE: Part = {
  letter: 'u',
  casts: ['text', 'text', 'int8'],
  sql: (
    p,
  ) => `u AS (INSERT INTO usage (tenant, actor, lane, bytes) SELECT u.tenant, u.actor, ${BASE.lane}, u.bytes
  FROM ${unnested(p)} u(tenant, actor, bytes) ON CONFLICT (tenant, actor, lane) DO UPDATE SET bytes = usage.bytes + excluded.bytes),
t AS (INSERT INTO usage_of_tenants (tenant, lane, bytes) SELECT u.tenant, ${BASE.lane}, sum(u.bytes)
  FROM unnest(${p[0]}, ${p[2]}) u(tenant, bytes) GROUP BY u.tenant
  ON CONFLICT (tenant, lane) DO UPDATE SET bytes = usage_of_tenants.bytes + excluded.bytes)`,
};

const ORDER = {
  entries: ENTRIES,
  streams: NEW_STREAMS,
  heads: HEADS,
  rows: ROWS,
  involved: INVOLVED,
  usage: USAGE,
};

export type PartName = keyof typeof ORDER;

export interface Base {
  readonly lane: number;
  /** The lane's number before. */
  readonly n: number;
  readonly epoch: number;
  readonly count: number;
  readonly streams: number;
  readonly lam: number;
  /** How many heads move. */
  readonly changed: number;
}

const kept = new Map<string, string>();

/** Each part's parameters, as arrays of equal length; a part that is left out is not in the statement. */
export function writeStep(base: Base, parts: Readonly<Partial<Record<PartName, readonly Value[]>>>): Step {
  const named = (Object.keys(ORDER) as PartName[]).filter((name) => parts[name] !== undefined);
  const letters = named.map((name) => ORDER[name].letter).join('');
  const text = kept.get(letters) ?? textOf(named);
  kept.set(letters, text);
  const { lane, n, epoch, count, streams, lam, changed } = base;
  const values: Value[] = [lane, n, epoch, count, streams, lam];
  for (const name of named) values.push(...(parts[name] ?? []));
  if (parts.heads) values.push(changed);
  return { name: `write-${letters}`, text, values };
}

function textOf(named: readonly PartName[]): string {
  let next = FIRST_OF_PARTS;
  const clauses = named.map((name) => {
    const { casts, sql } = ORDER[name];
    return sql(casts.map((cast) => `$${next++}::${cast}[]`));
  });
  clauses.push(`l AS (UPDATE lanes SET n = n + ${BASE.count}, streams = ${BASE.streams}, lam = ${BASE.lam}, until = now() + ${LEASE}
  WHERE lane = ${BASE.lane} AND epoch = ${BASE.epoch} AND n = ${BASE.n} RETURNING 1)`);
  const heads = named.includes('heads') ? `(SELECT count(*) FROM h) = $${next}::int8 AND ` : '';
  return `WITH ${clauses.join(',\n')}\nSELECT 1 / ((${heads}(SELECT count(*) FROM l) = 1)::int)`;
}

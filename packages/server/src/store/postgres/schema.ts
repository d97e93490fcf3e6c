/**
 * The tables, as an ordered list of migrations; nodes run what is missing by themselves, forward only.
 *
 * Each runs in one transaction together with its version, under a lock that keeps other nodes out. A released migration
 * never changes; a change is a new one at the end. Within one release line they only add, so that an older node beside a
 * newer one goes on: `minReader` is the oldest version whose code may still use the tables.
 *
 * Text is compared by its bytes. `heads` stands apart from `streams` and is narrow, because every commit locks and changes
 * it; `entries` and `payloads` are only added to.
 */
import type { Connection } from './connection.js';
import { messageOf, refused, SqlState, sqlState } from './errors.js';

interface Migration {
  readonly sql: string;
  readonly minReader: number;
}

const TEXT = 'text COLLATE "C" NOT NULL';
const STREAM = `kind ${TEXT}, name ${TEXT}, tenant ${TEXT}`;

const MIGRATIONS: readonly Migration[] = [
  {
    minReader: 1,
    sql: `
CREATE TABLE nodes(node ${TEXT} PRIMARY KEY, version ${TEXT}, started timestamptz NOT NULL, seen timestamptz NOT NULL);
CREATE TABLE lanes(lane int PRIMARY KEY, n bigint NOT NULL, streams bigint NOT NULL, lam bigint NOT NULL,
  epoch bigint NOT NULL, node ${TEXT}, until timestamptz NOT NULL) WITH (fillfactor = 10);
CREATE TABLE streams(id bigint PRIMARY KEY, tenant ${TEXT}, kind ${TEXT}, name ${TEXT}, lane int NOT NULL, n bigint NOT NULL,
  created_at bigint NOT NULL, state ${TEXT}, due bigint, summary ${TEXT}, UNIQUE (tenant, kind, name)) WITH (fillfactor = 80);
CREATE INDEX streams_due ON streams(due, id) WHERE due IS NOT NULL;
CREATE TABLE heads(stream bigint PRIMARY KEY, seq int NOT NULL, at bigint NOT NULL, lam bigint NOT NULL) WITH (fillfactor = 50);
CREATE TABLE entries(lane int NOT NULL, n bigint NOT NULL, lam bigint NOT NULL, stream bigint NOT NULL, seq int NOT NULL,
  at bigint NOT NULL, v bigint NOT NULL, type ${TEXT}, actor ${TEXT}, message_id ${TEXT}, payload_hash bytea NOT NULL,
  prev bytea NOT NULL, hash bytea NOT NULL, facts ${TEXT},
  PRIMARY KEY (lane, n), UNIQUE (stream, seq), UNIQUE (stream, message_id));
CREATE TABLE payloads(stream bigint NOT NULL, seq int NOT NULL, salt bytea NOT NULL, payload bytea NOT NULL, PRIMARY KEY (stream, seq));
ALTER TABLE payloads ALTER payload SET STORAGE EXTERNAL;
CREATE TABLE involved(tenant ${TEXT}, agent ${TEXT}, kind ${TEXT}, name ${TEXT}, role ${TEXT}, stream bigint NOT NULL,
  PRIMARY KEY (tenant, agent, kind, name, role));
CREATE INDEX involved_newest ON involved(tenant, agent, kind, role, stream);
CREATE TABLE usage(tenant ${TEXT}, actor ${TEXT}, lane int NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (tenant, actor, lane));
CREATE TABLE usage_of_tenants(tenant ${TEXT}, lane int NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (tenant, lane));
CREATE TABLE credentials(${STREAM}, hash ${TEXT}, rights ${TEXT}, expires_at bigint NOT NULL, revoked boolean NOT NULL,
  sealed bytea, PRIMARY KEY (kind, name, tenant, hash));
CREATE INDEX credentials_expiry ON credentials(expires_at);
CREATE TABLE receipts(${STREAM}, format ${TEXT}, text bytea NOT NULL, PRIMARY KEY (kind, name, tenant, format));
CREATE TABLE agents(tenant ${TEXT}, agent ${TEXT}, first_seen bigint NOT NULL, last_seen bigint NOT NULL, PRIMARY KEY (tenant, agent));
CREATE INDEX agents_newest ON agents(tenant, last_seen DESC, agent);
CREATE TABLE looks(tenant ${TEXT}, agent ${TEXT}, project ${TEXT}, at bigint NOT NULL, PRIMARY KEY (tenant, agent, project));
CREATE TABLE heartbeats(tenant ${TEXT}, agent ${TEXT}, project ${TEXT}, at bigint NOT NULL, PRIMARY KEY (tenant, agent, project));`,
  },
];

export const SCHEMA_VERSION = MIGRATIONS.length;

const TRIES = 40;
const PAUSE_MS = 100;
/** A migration of a large log takes its time. */
const LONGEST_MS = 3_600_000;
/** Another node is at work on the schema; it is looked at again. */
const BUSY: ReadonlySet<string | undefined> = new Set([
  SqlState.LOCK_TIMEOUT,
  SqlState.DEADLOCK,
  SqlState.DUPLICATE_TABLE,
  SqlState.UNIQUE,
]);

/** Brings the schema up to date; refuses what is not ours, or newer than this program can use. */
export async function migrate(connection: Connection): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const version = await usableVersion(connection);
      if (version >= SCHEMA_VERSION) return;
      await run(connection, version);
      tries = 0;
    } catch (thrown) {
      const state = sqlState(thrown);
      if (state === SqlState.NO_RIGHT) throw refused(withoutRights(connection, thrown));
      if (!BUSY.has(state) || tries >= TRIES) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** For those who only look. */
export async function requireLog(connection: Connection): Promise<void> {
  const version = await usableVersion(connection);
  if (version === 0)
    throw refused(
      `schema ${connection.schema} of database ${connection.database} holds no log of Handover; a server that is started on it makes one`,
    );
  if (version < SCHEMA_VERSION)
    throw refused(
      `schema ${connection.schema} of database ${connection.database} is older than this version of Handover; start the server on it once`,
    );
}

async function run(connection: Connection, version: number): Promise<void> {
  const migration = MIGRATIONS[version];
  if (!migration) return;
  try {
    await connection.script('BEGIN; SET LOCAL statement_timeout = 0');
    if (version === 0) await connection.script(`CREATE TABLE meta(key ${TEXT} PRIMARY KEY, value ${TEXT})`);
    await connection.script('LOCK TABLE meta IN EXCLUSIVE MODE');
    // Whoever held the lock before may have done it.
    if (version > 0 && (await versionIn(connection)).version !== version) {
      await connection.script('ROLLBACK');
      return;
    }
    await connection.script(migration.sql, LONGEST_MS);
    await connection.script(
      `INSERT INTO meta VALUES ('schema', '${version + 1}'), ('min_reader', '${migration.minReader}')
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
    await connection.script('COMMIT');
  } catch (thrown) {
    if (!connection.isLost) await connection.script('ROLLBACK');
    throw thrown;
  }
}

/** 0: an empty schema. */
async function usableVersion(connection: Connection): Promise<number> {
  const { tables, hasMeta } = await tablesIn(connection);
  const where = `schema ${connection.schema} of database ${connection.database}`;
  if (tables === 0) return 0;
  const found = hasMeta ? await versionIn(connection).catch(unlessNoRight) : undefined;
  if (!found?.version)
    throw refused(
      `${where} holds tables of another program; give Handover a database, or a schema, of its own`,
    );
  if (found.minReader > SCHEMA_VERSION)
    throw refused(
      `${where} was written by a newer version of Handover (schema ${found.version}, this one knows ${SCHEMA_VERSION}); upgrade Handover`,
    );
  return found.version;
}

function unlessNoRight(thrown: unknown): undefined {
  if (sqlState(thrown) === undefined || sqlState(thrown) === SqlState.NO_RIGHT) throw thrown;
}

async function tablesIn(
  connection: Connection,
): Promise<{ readonly tables: number; readonly hasMeta: boolean }> {
  const text = `SELECT count(*), count(*) FILTER (WHERE relname = 'meta') FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`;
  const [done] = await connection.run([{ name: 'tables', text }]);
  const [tables, meta] = done?.rows[0] ?? [];
  return { tables: Number(tables), hasMeta: Number(meta) > 0 };
}

async function versionIn(
  connection: Connection,
): Promise<{ readonly version: number; readonly minReader: number }> {
  const text = `SELECT coalesce(max(value) FILTER (WHERE key = 'schema'), '0'),
    coalesce(max(value) FILTER (WHERE key = 'min_reader'), '0') FROM meta`;
  const [done] = await connection.run([{ name: 'version', text }]);
  const [version, minReader] = done?.rows[0] ?? [];
  return { version: Number(version), minReader: Number(minReader) };
}

function withoutRights({ user, schema, database }: Connection, thrown: unknown): string {
  return `user ${user} may not make or use the tables of Handover in schema ${schema} of database ${database} (${messageOf(thrown)}); as their owner: GRANT ALL ON SCHEMA ${schema} TO ${user}`;
}

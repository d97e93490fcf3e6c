/**
 * What the store needs of a server. It is set on every new connection, and read back: a setting that the operator's
 * configuration, or a pooler between, does not let through would lose acknowledged entries.
 */
import type { Row, Step } from './stage.js';

/** Everything that is used is older; what is older than this gets no fixes any more. */
export const OLDEST_SERVER = 140_000;

const SESSION: Readonly<Record<string, string>> = {
  statement_timeout: '10s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '5s',
  default_transaction_isolation: 'read committed',
  // On a fresh table without statistics the poll of the lanes would read everything.
  enable_seqscan: 'off',
  // Compiling a plan takes longer than running ours.
  jit: 'off',
  bytea_output: 'hex',
};

export const SET_SESSION: Step = {
  name: 'set-session',
  text: `SELECT ${Object.entries(SESSION)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')}, set_config('synchronous_commit', CASE
      WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`,
};

const READ_BACK = [
  'server_version_num',
  'server_version',
  'server_encoding',
  'client_encoding',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'transaction_read_only',
  ...Object.keys(SESSION),
] as const;

export const READ_SESSION: Step = {
  name: 'read-session',
  text: `SELECT pg_is_in_recovery()::text, coalesce(current_schema(), ''), ${READ_BACK.map(
    (name) => `current_setting('${name}')`,
  ).join(', ')}`,
};

export interface ServerFacts {
  readonly isStandby: boolean;
  /** Empty: none that exists. */
  readonly schema: string;
  readonly settings: Readonly<Record<string, string>>;
}

export function factsOf([standby, schema, ...values]: Row): ServerFacts {
  return {
    isStandby: standby === 'true',
    schema: schema ?? '',
    settings: Object.fromEntries(READ_BACK.map((name, i) => [name, values[i] ?? ''])),
  };
}

/** One sentence: what is wrong, and what to do; undefined: the server will do. */
export function serverFlaw(
  { isStandby, schema, settings }: ServerFacts,
  oldest = OLDEST_SERVER,
): string | undefined {
  const { server_version_num, server_version, server_encoding, client_encoding } = settings;
  if (Number(server_version_num) < oldest)
    return `PostgreSQL ${server_version} is too old; Handover needs ${Math.floor(oldest / 10_000)} or newer`;
  if (isStandby)
    return 'this PostgreSQL is a standby, which takes no writes; name the primary in HANDOVER_DATABASE_URL';
  if (settings.transaction_read_only !== 'off')
    return 'the database is read-only for this user (default_transaction_read_only); switch that off for the database and the user';
  if (server_encoding !== 'UTF8' || client_encoding !== 'UTF8')
    return `the database is in ${server_encoding === 'UTF8' ? client_encoding : server_encoding}, and Handover stores UTF8; make one with "createdb -E UTF8 -T template0"`;
  for (const name of ['fsync', 'full_page_writes'])
    if (settings[name] !== 'on')
      return `PostgreSQL runs with ${name} off, so it would lose what it acknowledged when the power fails; set ${name} = on`;
  if (settings.synchronous_commit !== 'on' && settings.synchronous_commit !== 'remote_apply')
    return 'synchronous_commit cannot be switched on for this connection; without it PostgreSQL loses what it acknowledged';
  for (const [name, value] of Object.entries(SESSION))
    if (settings[name] !== value)
      return `the setting ${name} = ${value} did not stay on the connection; connect to PostgreSQL itself, or to a pooler that keeps sessions`;
  if (schema === '')
    return 'the search_path of this user names no schema that exists; make one, or name another in HANDOVER_DATABASE_URL';
  return undefined;
}

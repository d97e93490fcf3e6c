/** A schema of its own for every store that a test opens, on one server for the test process. */
import pg from 'pg';
import { type PostgresServer, startPostgres } from './server.js';

let server: Promise<PostgresServer> | undefined;
let count = 0;

/** The server of this test process; never that of HANDOVER_TEST_POSTGRES_URL, so a test may do with it what it likes. */
export function ownPostgres(): Promise<PostgresServer> {
  server ??= startPostgres();
  return server;
}

/**
 * The URL of an empty schema: on the server of HANDOVER_TEST_POSTGRES_URL, else on one that is started for it. `own`: a test
 * that does something to the server takes its own in any case.
 */
export async function freshSchema(on: 'any' | 'own' = 'any'): Promise<string> {
  const given = on === 'own' ? undefined : process.env.HANDOVER_TEST_POSTGRES_URL;
  const base = given ?? (await ownPostgres()).url();
  const schema = `test_${process.pid}_${Date.now().toString(36)}_${++count}`;
  const client = new pg.Client({ connectionString: base });
  await client.connect();
  try {
    await client.query(`CREATE SCHEMA ${schema}`);
  } finally {
    await client.end();
  }
  return `${base}${base.includes('?') ? '&' : '?'}options=-csearch_path%3D${schema}`;
}

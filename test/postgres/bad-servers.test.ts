/** A database that will not do: one sentence that says what to do, and nothing is made in it. */
import { randomBytes } from 'node:crypto';
import { append, chain, streamRef } from '@handover/engine/store-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore, type PostgresOptions } from '../../packages/server/src/store/postgres/index.js';
import { freshSchema, ownPostgres } from '../kit/postgres/fresh.js';
import { type PostgresServer, startPostgres } from '../kit/postgres/server.js';

const name = () => `t${randomBytes(6).toString('hex')}`;
const schemaOf = (url: string) => /search_path%3D(\w+)/.exec(url)?.[1] ?? '';

async function refusal(url: string, more: Partial<PostgresOptions> = {}): Promise<string> {
  const thrown: unknown = await openPostgresStore({ url, startMs: 500, ...more }).then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  expect(thrown).toMatchObject({ code: 'CONFIGURATION' });
  const { shortMessage } = thrown as { readonly shortMessage: string };
  expect(shortMessage).not.toContain('\n');
  return shortMessage;
}

describe('a server that does not let us in', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await ownPostgres();
  });

  it('is not there', async () => {
    expect(await refusal('postgresql://ann:secret@127.0.0.1:1/handover')).toBe(
      'no PostgreSQL answers at 127.0.0.1:1; start it, or correct HANDOVER_DATABASE_URL',
    );
    expect(await refusal('postgresql://ann@%2Fnowhere%2Fat%2Fall/handover')).toMatch(
      /^no PostgreSQL answers at the socket in \/nowhere\/at\/all; start it/,
    );
    expect(await refusal('postgresql://ann:secret@no-such-host.invalid/handover')).toBe(
      'the name no-such-host.invalid cannot be found; correct it in HANDOVER_DATABASE_URL',
    );
  });

  it('has a URL that cannot be read, which is not shown', async () => {
    const said = await refusal('postgresql://ann:secret@host:port/handover');
    expect(said).toMatch(/^HANDOVER_DATABASE_URL must look like postgresql:/);
    expect(said).not.toContain('secret');
  });

  it('has no such database, and no such user', async () => {
    expect(await refusal(server.url({ database: 'none' }))).toMatch(
      /^there is no database none at the socket in .*; make it with "createdb none"/,
    );
    const user = name();
    await server.sql(`CREATE ROLE ${user} NOLOGIN`);
    const said = await refusal(server.url({ user, password: 'secret' }));
    expect(said).toMatch(new RegExp(`does not let user ${user} in: .*; correct user and password in`));
    expect(said).not.toContain('secret');
  });

  it('gives us no right to make tables', async () => {
    const user = name();
    await server.sql(`CREATE ROLE ${user} LOGIN; GRANT USAGE ON SCHEMA public TO ${user}`);
    expect(await refusal(server.url({ user, schema: 'public' }))).toMatch(
      new RegExp(
        `^user ${user} may not make or use the tables of Handover in schema public of database postgres .*GRANT ALL`,
      ),
    );
    const url = await freshSchema('own');
    await (await openPostgresStore({ url })).close();
    await server.sql(`GRANT USAGE ON SCHEMA ${schemaOf(url)} TO ${user}`);
    expect(await refusal(server.url({ user, schema: schemaOf(url) }))).toMatch(
      /may not make or use the tables/,
    );
    expect(await refusal(server.url({ user, schema: 'no_such_schema' }))).toMatch(
      /names no schema that exists/,
    );
  });

  it('is read-only for us', async () => {
    const user = name();
    await server.sql(
      `CREATE ROLE ${user} LOGIN SUPERUSER; ALTER ROLE ${user} SET default_transaction_read_only = on`,
    );
    expect(await refusal(server.url({ user }))).toMatch(/^the database is read-only for this user/);
  });

  it('is not in UTF8', async () => {
    const database = name();
    await server.sql(`CREATE DATABASE ${database} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    expect(await refusal(server.url({ database }))).toMatch(
      /^the database is in LATIN1, and Handover stores UTF8/,
    );
  });

  it('is too old', async () => {
    expect(await refusal(await freshSchema('own'), { oldestServer: 990_000 })).toMatch(
      /^PostgreSQL 18\.\d+ is too old; Handover needs 99 or newer$/,
    );
  });

  it('holds the tables of somebody else, which stay as they are', async () => {
    const url = await freshSchema('own');
    await server.sql(`CREATE TABLE ${schemaOf(url)}.meta (theirs int)`);
    expect(await refusal(url)).toMatch(
      /holds tables of another program; give Handover a database, or a schema/,
    );
    await server.sql(`DROP TABLE ${schemaOf(url)}.meta; CREATE TABLE ${schemaOf(url)}.streams (theirs int)`);
    expect(await refusal(url)).toMatch(/holds tables of another program/);
    const tables = await server.sql(
      `SELECT relname FROM pg_class WHERE relnamespace = '${schemaOf(url)}'::regnamespace`,
    );
    expect(tables).toEqual([{ relname: 'streams' }]);
  });

  it('was written by a newer version', async () => {
    const url = await freshSchema('own');
    await (await openPostgresStore({ url })).close();
    await server.sql(`UPDATE ${schemaOf(url)}.meta SET value = '7' WHERE key = 'schema'`);
    // It only added something.
    await (await openPostgresStore({ url })).close();
    await server.sql(`UPDATE ${schemaOf(url)}.meta SET value = '6' WHERE key = 'min_reader'`);
    expect(await refusal(url)).toMatch(
      /was written by a newer version of Handover \(schema 7, this one knows 1\); upgrade/,
    );
  });

  it('was used with real credentials, and this is dev mode', async () => {
    const url = await freshSchema('own');
    await (await openPostgresStore({ url, use: 'dev' })).close();
    await (await openPostgresStore({ url, use: 'credentials' })).close();
    await (await openPostgresStore({ url, use: 'local' })).close();
    expect(await refusal(url, { use: 'dev' })).toMatch(
      /was used with real credentials, which dev mode would let anyone act for/,
    );
  });

  it('is made ready by several nodes that start at the same moment', async () => {
    const url = await freshSchema('own');
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore({ url })));
    const names = new Set(stores.map((store) => store.shared?.members().me));
    expect(names.size).toBe(4);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe('a server that would lose what it acknowledged, or takes no writes', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it.each(['fsync', 'full_page_writes'])('runs with %s off', async (setting) => {
    await server.kill();
    await server.start({ [setting]: 'off' });
    expect(await refusal(server.url())).toMatch(
      new RegExp(`^PostgreSQL runs with ${setting} off, so it would lose .*; set ${setting} = on$`),
    );
  });

  it('is told to acknowledge early, and is switched to wait for the disk', async () => {
    await server.kill();
    await server.start({ synchronous_commit: 'off' });
    const store = await openPostgresStore({ url: server.url() });
    const a = streamRef('a');
    const stored = await store.commit({ streams: [], messageIds: [] }, () => [append(a, chain(a, 1, 1))]);
    expect(stored.kind).toBe('stored');
    await store.close();
    await server.kill();
    await server.start();
    const again = await openPostgresStore({ url: server.url() });
    expect((await again.load(a, 0, 10)).length).toBe(1);
    await again.close();
  });

  it('is a standby', async () => {
    await server.kill();
    await server.start({ hot_standby: 'on' }, { standby: true });
    expect(await refusal(server.url())).toBe(
      'this PostgreSQL is a standby, which takes no writes; name the primary in HANDOVER_DATABASE_URL',
    );
  });
});

/**
 * assistants:6.6. What an assistant waits for is mostly the loading of files, so they are counted: the hook at the start of
 * a conversation, the pipe and the server beside assistants load no door, library or chain that they do not use. Some 240
 * of the files are core's, sixty of them its six modes; the packed command holds all of it in a few.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HandoverOptions, HandoverProcess } from '../kit/handover-process.js';
import { openServer } from '../kit/server.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';
import { cleanUp, run } from '../stdio/support.js';

const COUNTER = fileURLToPath(new URL('../kit/count-modules/register.mjs', import.meta.url));
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'counter', version: '1.0.0' },
  },
};
const GRPC = ['/@grpc/', '/grpc-health-check/', '/doors/grpc/'];
const PAGES = ['/doors/pages/', '/hono/', '/@hono/'];
const CHAIN = ['/packages/evm/', '/ox/', '/viem/', '/server/dist/chain/'];
const SERVER = ['/zod/', '/@modelcontextprotocol/', '/jose/', '/server/dist/compose/', '/pino/'];

let home: string;
let data: string;
let list: string;
beforeEach(() => {
  home = temporaryFolder();
  data = join(home, 'data');
  list = join(home, 'loaded');
  mkdirSync(join(home, 'shop'));
});
afterEach(() => cleanUp(data));

const counted = (input: string): HandoverOptions => ({
  env: { HOME: home, HANDOVER_DATA_DIR: data, LOADED_MODULES: list, HANDOVER_IDLE_SECS: '1' },
  execArgv: ['--import', COUNTER],
  cwd: join(home, 'shop'),
  input,
});

/** The files that were loaded, without those of Node itself. */
const loaded = (): readonly string[] =>
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:') && !url.includes('count-modules'));
const among = (files: readonly string[], places: readonly string[]) =>
  files.filter((url) => places.some((place) => url.includes(place)));

const hook = () =>
  run(
    ['hook', 'session-start', '--client', 'claude'],
    counted(
      JSON.stringify({
        session_id: '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01',
        cwd: join(home, 'shop'),
        source: 'startup',
      }),
    ),
  );

/** Through one pipe, until it has answered. */
async function initialize(): Promise<void> {
  const pipe = new HandoverProcess(['mcp', '--agent', 'ann', '--data-dir', data], {
    ...counted(`${JSON.stringify(INITIALIZE)}\n`),
    openMs: 600_000,
  });
  await until(() => pipe.stdout.includes('"id":1'), Boolean, { timeoutMs: 60_000 });
  await pipe.stop();
}

it('assistants:6.6 the hook at the start of a conversation asks a server without the library of the command line', async () => {
  const server = await openServer({ flags: { dataDir: data } });
  await hook();
  await server.close();
  const files = loaded();
  expect(among(files, [...GRPC, ...PAGES, ...CHAIN, ...SERVER, '/commander/', '/libsql/'])).toEqual([]);
  expect(files.length).toBeLessThan(330);
});

it('assistants:6.6 without a server it reads the store, and loads no door and no chain', async () => {
  const server = await openServer({ flags: { dataDir: data } });
  await server.close();
  await hook();
  const files = loaded();
  expect(among(files, [...GRPC, ...PAGES, ...CHAIN, ...SERVER, '/commander/'])).toEqual([]);
  expect(files.length).toBeLessThan(545);
});

it('assistants:6.6 a pipe loads nothing of the server that it joins', async () => {
  const server = await openServer({ flags: { dataDir: data } });
  await initialize();
  await server.close();
  const files = loaded();
  expect(among(files, [...GRPC, ...PAGES, ...CHAIN, ...SERVER])).toEqual([]);
  expect(files.length).toBeLessThan(400);
});

it('assistants:6.6 a server beside assistants loads nothing of gRPC', async () => {
  await initialize();
  const files = loaded();
  expect(among(files, ['/server/dist/server.js'])).toHaveLength(1);
  expect(among(files, GRPC)).toEqual([]);
});

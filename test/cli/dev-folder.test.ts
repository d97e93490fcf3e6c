/** Dev mode beside the assistants of the same user: neither finds what the other keeps (the README's flow, in one home). */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { DEFAULT, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { assistant, cleanUp, run } from '../stdio/support.js';

it('assistants:7.4 a bearer of dev mode reads nothing that an assistant of this user has written', async () => {
  const home = temporaryFolder();
  const env = { HOME: home };
  const folder = join(home, '.local/share/handover');
  const claude = await assistant(folder, { args: ['--agent', 'claude'], env });
  await call(claude, 'handOff', { goal: 'The quagga is real work.' });
  // Their server runs, and dev mode starts all the same.
  const dev = await startServerProcess({ dataDir: DEFAULT, env });
  expect(dev.stderr()).toContain(`Its data is in ${folder}-dev`);
  const anybody = await connectHttp(new URL('/mcp', dev.http), 'claude');
  expect(await call(anybody, 'searchContext', { query: 'quagga' })).toMatchObject({
    hits: [],
    complete: true,
  });
  expect(await call(anybody, 'listSessions', { project: '*' })).toMatchObject({ sessions: [] });
  const both = await run(
    ['serve', '--dev', '--data-dir', folder, '--bind', '127.0.0.1:0', '--http-port', '0'],
    { env },
  );
  expect(both).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`"handover stop --data-dir ${folder}"`),
  });
  await anybody.close();
  await claude.close();
  await dev.stop('SIGTERM');
  await cleanUp(folder);
}, 60_000);

/** `handover stop`, on servers that were started by hand and by an assistant. */
import { expect, it } from 'vitest';
import { handover, serve } from '../kit/handover-command.js';
import { call } from '../kit/mcp-clients.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { assistant, cleanUp, serversOn } from '../stdio/support.js';

it('assistants:6.3 ends a server that was started by hand, in order, and says which', async () => {
  const folder = temporaryFolder();
  const server = serve(['--dev', '-d', folder]);
  await server.ready();
  const stop = handover(['stop', '-d', folder, '--json']);
  expect(await stop.exited).toBe(0);
  expect(JSON.parse(stop.stdout)).toEqual({ stopped: true, pid: server.child.pid });
  expect(await server.exited).toBe(0);
  const again = handover(['stop', '-d', folder]);
  expect(await again.exited).toBe(5);
  expect(again.stderr).toContain('[NO_SERVER]');
});

it('assistants:6.3 ends the server of assistants; whoever is connected goes on with another', async () => {
  const folder = temporaryFolder();
  const claude = await assistant(folder, { args: ['--agent', 'claude'] });
  await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
  const [before] = serversOn(folder);
  const stop = handover(['stop', '-d', folder]);
  expect(await stop.exited).toBe(0);
  expect(stop.stdout).toContain(`process ${before}`);
  const entry = { sessionKey: 'work', contextType: 'message', content: 'x' };
  expect(await call(claude, 'updateContext', entry)).toMatchObject({ contextEntry: { sequenceNumber: 1 } });
  expect(serversOn(folder)).not.toContain(before);
  await claude.close();
  await cleanUp(folder);
}, 60_000);

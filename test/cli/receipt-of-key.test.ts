/** A receipt in the protocol's own format is found by what people know: the key of their work. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call } from '../kit/mcp-clients.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { assistant, run } from '../stdio/support.js';

it('console:L5 handover receipt KEY --format macp', async () => {
  const home = temporaryFolder();
  const data = join(home, 'data');
  const env = { HOME: home, HANDOVER_IDLE_SECS: '5' };
  const [claude, codex] = await Promise.all(
    ['claude', 'codex'].map((name) => assistant(data, { args: ['--agent', name], env })),
  );
  if (!claude || !codex) throw new Error('not connected');
  await call(claude, 'registerSession', { sessionKey: 'nightly-import', agentFrom: 'claude' });
  await call(claude, 'handOff', { sessionKey: 'nightly-import', to: 'codex', goal: 'Finish the import' });
  const { handoffId } = await call(codex, 'resume', { accept: true });
  const asked = (id: string) => run(['receipt', id, '--format', 'macp', '--data-dir', data], { env });
  const byKey = await asked('nightly-import');
  expect(byKey).toMatchObject({ code: 0, stdout: (await asked(handoffId)).stdout });
  expect(JSON.parse(byKey.stdout).attestations).toHaveLength(1);
  expect(await asked('no-such-key')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no-such-key'),
  });
  await Promise.all([claude.close(), codex.close()]);
});

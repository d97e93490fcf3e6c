/** `handover md export` names what belongs to the work and is in no file. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call } from '../kit/mcp-clients.js';
import { run, useAssistants } from '../stdio/support.js';

const { folder, open } = useAssistants();
const md = (...args: readonly string[]) => run(['md', 'export', ...args, '-d', folder], {});

it('assistants:5.5 attachments, and files that were put into the session', async () => {
  const claude = await open({ args: ['--agent', 'claude'] });
  const codex = await open({ args: ['--agent', 'codex'] });
  const attachments = ['diff.patch', 'logo.png'].map((name) => ({ name, content: name }));
  const { sessionKey } = await call(claude, 'handOff', { to: 'codex', goal: 'g', attachments });
  await call(codex, 'resume', { sessionKey, accept: true });
  const entry = { sessionKey, contextType: 'file', content: 'a,b', metadata: { path: 'measure.csv' } };
  await call(codex, 'updateContext', entry);
  const names = ['diff.patch', 'logo.png', 'measure.csv'];
  const said = await md(sessionKey, '-o', join(folder, 'HANDOFF.md'));
  expect(said).toMatchObject({ code: 0, stdout: '' });
  expect(said.stderr).toContain(`only from this data folder with readContext: ${names.join(', ')}\n`);
  expect(JSON.parse((await md(sessionKey, '--json')).stdout)).toMatchObject({ onlyInLog: names });

  const bare = await call(claude, 'handOff', { goal: 'Another', next: ['x'], requestType: 'full_handoff' });
  expect((await md(bare.sessionKey)).stderr).toBe('');
}, 60_000);

/** `receipt` and `export` with the key of a working session, which is what people know. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, type Payload } from '../kit/mcp-clients.js';
import { run, useAssistants } from '../stdio/support.js';

const { folder, open } = useAssistants();
const handover = (...args: readonly string[]) => run([...args, '-d', folder], {});

const sessionOf = ({ handoffId }: Payload): string => String(handoffId).split(':')[0] ?? '';

it('console:L5 receipt takes the key of a working session, export says which ids it wants', async () => {
  const claude = await open({ args: ['--agent', 'claude'] });
  const codex = await open({ args: ['--agent', 'codex'] });
  await call(claude, 'registerSession', { sessionKey: 'imp', agentFrom: 'claude' });
  expect(await handover('receipt', 'imp')).toMatchObject({
    ...{ code: 3, stdout: '' },
    stderr: expect.stringContaining(
      'no handoff of the working session imp is final. It was never handed over',
    ),
  });
  const said = { sessionKey: 'imp', goal: 'The import is done before 06:00.' };
  const first = await call(claude, 'handOff', { ...said, to: 'codex' });
  expect(await handover('receipt', 'imp')).toMatchObject({
    ...{ code: 3, stdout: '' },
    stderr: expect.stringContaining(`Its handoffs are ${first.handoffId} (full_handoff to codex, under way)`),
  });
  await call(codex, 'resume', { accept: true });
  const alone = await handover('receipt', 'imp');
  expect(alone).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(alone.stdout)).toMatchObject({ holder: 'codex', session_id: sessionOf(first) });

  const protocols = await handover('receipt', 'imp', '--format', 'macp');
  expect(protocols).toMatchObject({ code: 0, stderr: '' });
  expect(protocols.stdout).toContain(sessionOf(first));

  const second = await call(codex, 'handOff', { ...said, to: 'claude' });
  await call(claude, 'resume', { accept: true, handoffId: second.handoffId });
  const third = await call(claude, 'handOff', { ...said, to: 'codex' });
  const file = join(folder, 'receipt.json');
  const newest = await handover('receipt', 'imp', '--out', file);
  expect(newest).toMatchObject({ code: 0, stdout: '' });
  expect(newest.stderr).toContain(
    `this is the receipt of ${second.handoffId}. Before it imp was handed over once: ${first.handoffId} (full_handoff to codex, committed)`,
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    ...{ holder: 'claude', session_id: sessionOf(second) },
  });
  const older = await handover('receipt', first.handoffId);
  expect(JSON.parse(older.stdout)).toMatchObject({ session_id: sessionOf(first) });

  const what = await handover('export', 'imp');
  expect(what).toMatchObject({ code: 2, stdout: '' });
  expect(what.stderr).toContain(
    'imp is a working session; what is exported is a handoff of it. Give the id of one:',
  );
  for (const { handoffId } of [first, second, third]) expect(what.stderr).toContain(handoffId);
  expect(what.stderr).toContain('"handover md export imp" writes what it says');
  const exported = await handover('export', first.handoffId);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect(exported.stdout).toBe((await handover('export', sessionOf(first))).stdout);

  expect(await handover('receipt', 'imp', 'h1')).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('imp is a working session, which has no part') },
  });
  expect(await handover('receipt', 'impo')).toMatchObject({
    ...{ code: 3, stderr: expect.stringContaining('there is no session impo of tenant default') },
  });
}, 120_000);

/** `handover take`, with a running server and without, and what it refuses (assistants:2.3). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { handover } from '../kit/handover-command.js';
import { call } from '../kit/mcp-clients.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';
import { assistant, cleanUp, run, serversOn } from '../stdio/support.js';

const ENV = { HANDOVER_IDLE_SECS: '30' };
const take = (folder: string, ...args: readonly string[]) =>
  run(['take', ...args, '-d', folder], { env: ENV });

it('assistants:O3 assistants:O5 console:L5 gives the work to another assistant, whether a server runs or not', async () => {
  const folder = temporaryFolder();
  const claude = await assistant(folder, { args: ['--agent', 'claude'] });
  const codex = await assistant(folder, { args: ['--agent', 'codex'] });
  const entry = { sessionKey: 'work', contextType: 'message', content: 'x' };
  await call(claude, 'registerSession', { sessionKey: 'work', agentFrom: 'claude' });
  await call(claude, 'updateContext', entry);

  const early = await take(folder, 'work', '--to', 'codex', '--json');
  expect(early).toMatchObject({ code: 4, stdout: '' });
  expect(JSON.parse(early.stderr)).toMatchObject({
    error: { code: 'NOT_ALLOWED', exit: 4, fix: expect.stringMatching(/^Wait until 20.*, or give --now$/) },
  });

  const offered = { sessionKey: 'work', targetAgent: 'carol', requestType: 'full_handoff' };
  const offer = await call(claude, 'requestHandoff', offered);
  const taken = await take(folder, 'work', '--to', 'codex', '--now', '--reason', 'limit', '--json');
  expect(taken).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(taken.stdout)).toEqual({
    ...{ sessionKey: 'work', from: 'claude', to: 'codex', handoffId: expect.stringContaining(':h1') },
    ...{ silentSince: expect.stringMatching(/Z$/), takenAt: expect.stringMatching(/Z$/) },
  });
  expect(await call(codex, 'updateContext', entry)).toMatchObject({ contextEntry: { sequenceNumber: 2 } });
  expect(await call(claude, 'updateContext', entry)).toMatchObject({ errorCode: 'FORBIDDEN' });
  expect(await call(claude, 'getHandoff', { handoffId: offer.handoffId })).toMatchObject({
    handoff: { phase: 'cancelled' },
  });

  for (const [args, code, said] of [
    [['work', '--to', 'codex', '--now'], 7, 'codex has it already'],
    [['wrk', '--to', 'claude'], 3, 'Did you mean work?'],
    [['work', '--to', 'operator', '--now'], 2, 'not reserved'],
    [['work', '--now'], 2, '--to <agent>'],
  ] as const) {
    const refused = await take(folder, ...args);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toContain(said);
  }
  await call(codex, 'closeSession', { sessionKey: 'work' });
  const closed = await take(folder, 'work', '--to', 'claude', '--now');
  expect(closed).toMatchObject({ code: 7 });
  expect(closed.stderr).toContain('the session is completed. There is nothing to take');
  await call(codex, 'resume', { sessionKey: 'work', accept: true });

  await claude.close();
  await codex.close();
  const stop = handover(['stop', '-d', folder]);
  expect(await stop.exited).toBe(0);
  await until(() => serversOn(folder).length === 0);
  // Carol never came: her name only stood in an offer.
  const misspelt = await take(folder, 'work', '--to', 'carl', '--now', '--json');
  expect(misspelt).toMatchObject({ code: 3, stdout: '' });
  expect(JSON.parse(misspelt.stderr).error).toMatchObject({
    ...{ code: 'NOT_FOUND', message: 'nobody called carl was ever here' },
    fix: expect.stringMatching(
      /^Here were c(laude, codex|odex, claude)\. --force gives it to carl all the same$/,
    ),
  });
  for (const [setting, code, said] of [
    ['off', 4, 'HANDOVER_TAKEOVER=off in this environment'],
    ['sometimes', 2, 'HANDOVER_TAKEOVER: must be one of'],
  ] as const) {
    const env = { ...ENV, HANDOVER_TAKEOVER: setting };
    const refused = await run(['take', 'work', '--to', 'claude', '--now', '-d', folder], { env });
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  }
  const alone = await take(folder, 'work', '--to', 'gemni', '--now', '--force');
  const now = expect.stringMatching(/^work is gemni's now \(handoff \S+:h1\)/);
  expect(alone).toMatchObject({ code: 0, stdout: now });
  expect(alone.stderr).toContain('nobody called gemni was ever here');
  expect(serversOn(folder)).toHaveLength(1);
  const again = handover(['stop', '-d', folder]);
  expect(await again.exited).toBe(0);
  expect(await run(['verify', folder])).toMatchObject({ code: 0 });
  const [session = ''] = String(JSON.parse(taken.stdout).handoffId).split(':');
  const exported = await run(['export', session, '-d', folder]);
  expect(exported.stdout).toContain(`takeover-commit:${session}`);
  const receipt = await run(['receipt', session, '-d', folder, '--out', join(folder, 'receipt.json')]);
  expect(receipt).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(folder, 'receipt.json'), 'utf8'))).toMatchObject({
    ...{ from: 'claude', holder: 'codex', authority: 'operator' },
  });
  const key = (await run(['keys', '-d', folder])).stdout.trim();
  expect(await run(['verify', join(folder, 'receipt.json'), '--key', key])).toMatchObject({ code: 0 });
  await cleanUp(folder);
}, 120_000);

it('starts nothing and makes no folder where there is no data', async () => {
  const folder = join(temporaryFolder(), 'misspelt');
  expect(await take(folder, 'work', '--to', 'codex')).toMatchObject({ code: 3, stdout: '' });
  expect(existsSync(folder)).toBe(false);
});

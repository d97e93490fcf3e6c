/** `handover cancel`: what was handed over by mistake is taken back by a person, with a server and without. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { handover as command } from '../kit/handover-command.js';
import { call } from '../kit/mcp-clients.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { assistant, cleanUp, run, serversOn, useAssistants } from '../stdio/support.js';

const { folder, open } = useAssistants();
const handover = (...args: readonly string[]) =>
  run([...args, '-d', folder], { env: { HANDOVER_IDLE_SECS: '30' } });
const file = join(folder, 'HANDOFF.md');

async function imported(...more: readonly string[]) {
  const done = await handover('md', 'import', file, '--agent', 'claude', '--project', folder, ...more);
  expect(done).toMatchObject({ code: 0 });
  const [, said = ''] = /To take it back: handover (.*)\n/.exec(done.stdout) ?? [];
  // What concerns tools is nothing that a person could do.
  expect(done.stdout + done.stderr).not.toContain('cancelHandoff');
  return { said, key: said.split(' ')[1] ?? '', first: done.stdout };
}

it('assistants:K2 console:L5 an import by mistake is taken back by the line that it was answered with', async () => {
  writeFileSync(
    file,
    '# Handoff\n\n## Goal\nThe import is done before 06:00.\n\n## Next\n- Create the index\n',
  );
  const { said, key, first } = await imported('--to', 'codex');
  expect(said).toBe(`cancel ${key} --data-dir ${folder}`);
  expect(first).toContain(`${key}: codex takes it with resume.`);
  const codex = await open({ args: ['--agent', 'codex', '--project', folder] });
  expect(await call(codex, 'resume', {})).toMatchObject({ kind: 'offer', sessionKey: key });
  const inbox = await run(['inbox', '--agent', 'claude', '--all', '-d', folder], {});
  expect(inbox.stdout).toContain(`handover cancel ${key}`);

  const done = await handover('cancel', key);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toBe(
    `${key} is withdrawn: nobody can take it any more. claude keeps it, and goes on with resume; --close closes it.\n`,
  );
  expect(await call(codex, 'resume', {})).toMatchObject({ kind: 'nothing' });
  const again = await handover('cancel', key, '--json');
  expect(JSON.parse(again.stdout)).toEqual({
    sessionKey: key,
    owner: 'claude',
    withdrawn: [],
    closed: false,
  });
  expect(await handover('cancel', key, '--close')).toMatchObject({
    ...{ code: 0, stdout: `${key} is withdrawn and closed. resume with its key opens it again in claude.\n` },
  });
  const claude = await open({ args: ['--agent', 'claude', '--project', folder] });
  expect(await call(claude, 'resume', {})).toMatchObject({ kind: 'nothing' });

  const taken = await imported('--to', 'codex');
  await call(codex, 'resume', { accept: true, sessionKey: taken.key });
  const late = await handover('cancel', taken.key);
  expect(late).toMatchObject({ code: 7, stdout: '' });
  expect(late.stderr).toContain('codex has it, who got it from claude');
  expect(late.stderr).toContain(`handover take ${taken.key} --to claude --now --data-dir ${folder}`);
  await handover('cancel', taken.key, '--close');

  const left = await imported();
  expect(await call(codex, 'resume', {})).toMatchObject({ kind: 'parked', sessionKey: left.key });
  const closed = await handover('cancel', left.key, '--close', '--json');
  expect(JSON.parse(closed.stdout)).toMatchObject({ sessionKey: left.key, closed: true });
  expect(await call(codex, 'resume', {})).toMatchObject({ kind: 'nothing' });
}, 120_000);

it('assistants:K2 an offer by its id, without a server; the record says that a person did it', async () => {
  // An open pipe would start the server again.
  const alone = temporaryFolder();
  const at = (...args: readonly string[]) =>
    run([...args, '-d', alone], { env: { HANDOVER_IDLE_SECS: '30' } });
  const claude = await assistant(alone, { args: ['--agent', 'claude'] });
  const offered = async (sessionKey: string) => {
    await call(claude, 'registerSession', { sessionKey, agentFrom: 'claude' });
    return call(claude, 'handOff', { sessionKey, to: 'codex', goal: `of ${sessionKey}` });
  };
  const [one, two] = [await offered('one'), await offered('two')];
  await claude.close();
  const stop = command(['stop', '-d', alone]);
  expect(await stop.exited).toBe(0);
  const done = await at('cancel', one.handoffId, '--json');
  expect(JSON.parse(done.stdout)).toEqual({
    ...{ sessionKey: 'one', owner: 'claude', withdrawn: [one.handoffId], closed: false },
  });
  expect(serversOn(alone)).toHaveLength(1);
  const [last] = JSON.parse((await at('export', one.handoffId)).stdout).entries.toReversed();
  expect(JSON.stringify(last)).toContain('withdrawn by the person');
  const codex = await assistant(alone, { args: ['--agent', 'codex'] });
  await call(codex, 'resume', { handoffId: two.handoffId, accept: true });
  expect(await at('cancel', two.handoffId)).toMatchObject({ code: 7, stdout: '' });
  expect(await at('cancel', 'none')).toMatchObject({
    ...{ code: 3, stderr: expect.stringContaining('there is no working session and no handoff none') },
  });
  await codex.close();
  await cleanUp(alone);
}, 120_000);

/**
 * The acceptance of the assistants' side, whole (assistants section 9). Every step stands in the guide. To write it
 * again: UPDATE_TRANSCRIPT=1 npx vitest run test/acceptance
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Story } from './story.js';

const guide = new URL('../../docs/guide/two-assistants.md', import.meta.url);
const story = new Story();
const { claude, codex } = story;
afterAll(() => story.end());

const outcome = ({ success, errorCode, error }: Record<string, unknown>) => ({ success, errorCode, error });
const written = ({ success, contextEntry }: Record<string, unknown>) => ({
  success,
  sequenceNumber: (contextEntry as { sequenceNumber: number } | undefined)?.sequenceNumber,
});
const resumed = ({
  kind,
  yours,
  sessionKey,
  from,
  owner,
  phase,
  delta,
  brief,
  instruction,
}: Record<string, unknown>) => ({
  kind,
  yours,
  sessionKey,
  from,
  owner,
  phase,
  delta,
  instruction,
  text: (brief as { text: string } | undefined)?.text,
});

function compare(part: string): void {
  const pattern = new RegExp(`(<!-- ${part} -->\n\n\`\`\`\`text\n)(.*?)(\n\`\`\`\`)`, 's');
  const told = story.take();
  const text = readFileSync(guide, 'utf8');
  if (process.env.UPDATE_TRANSCRIPT === '1')
    writeFileSync(
      guide,
      text.replace(pattern, (_, before, __, after) => before + told + after),
    );
  expect(pattern.exec(readFileSync(guide, 'utf8'))?.[2]).toBe(told);
}

async function isProven(handoffId: string): Promise<void> {
  story.name(handoffId.split(':')[0] ?? '', '<session>');
  const file = join(story.home.path, 'receipt.json');
  rmSync(file, { force: true });
  expect(await story.command('receipt', handoffId, '--out', file)).toMatchObject({ code: 0, stderr: '' });
  expect(await story.command('verify', file)).toMatchObject({ code: 0 });
  expect(await story.command('verify')).toMatchObject({ code: 0 });
}

it('is installed for two clients in an empty home', async () => {
  expect(await story.command('install', 'claude')).toMatchObject({ code: 0, stderr: '' });
  expect(await story.command('install', 'codex')).toMatchObject({ code: 0, stderr: '' });
  compare('installed');
});

it('the first dies by kill -9, and the second goes on with one call', async () => {
  const sessionKey = 'nightly-import';
  expect(await story.hook(claude, 'SessionStart', { source: 'startup' })).toBe('');
  await story.call(claude, 'registerSession', { sessionKey, agentFrom: 'claude' }, outcome);
  for (const [note, content] of [
    ['decision', 'Add the index concurrently; a lock at night would stop the shop.'],
    ['tried', 'Raising the pool size: no effect, the lock is global.'],
    ['next', 'Create the index on the replica first, then measure.'],
  ] as const)
    await story.call(
      claude,
      'updateContext',
      { sessionKey, contextType: 'message', content, metadata: { note } },
      written,
    );
  claude.says('user', 'The nightly import must finish before 06:00.');
  claude.says('assistant', [
    { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: `${story.home.project}/src/queue.ts` } },
  ]);
  claude.says('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]);
  claude.says('user', 'Go on with the replica.');
  claude.says('assistant', [{ type: 'text', text: 'The lock is gone; the index is next.' }]);
  await story.hook(claude, 'StopFailure', { error: 'rate_limit' });
  claude.die();
  story.aside('claude is killed (kill -9).');
  await story.seenBy(codex, sessionKey);
  const seen = await story.hook(codex, 'SessionStart', { source: 'startup' });
  expect(seen).toContain(sessionKey);

  const got = await story.call(codex, 'resume', { accept: true }, resumed);
  expect(got).toMatchObject({ success: true, kind: 'parked', yours: true, sessionKey, owner: 'codex' });
  for (const part of ['must finish before 06:00', 'src/queue.ts', 'faster-import', 'the index is next'])
    expect(got.brief.text).toContain(part);

  const late = await story.call(
    claude,
    'updateContext',
    { sessionKey, contextType: 'message', content: 'One more idea.' },
    outcome,
  );
  expect(late).toMatchObject({ success: false, errorCode: 'FORBIDDEN' });
  expect(late.error).toContain(
    'handOff {to: "codex", requestType: "context_transfer", sessionKey: "nightly-import"}',
  );
  await isProven(got.handoffId);
  compare('killed');
}, 120_000);

it('the first hands over with one call and is gone; the second goes on with one call', async () => {
  const given = await story.call(
    claude,
    'handOff',
    {
      to: 'codex',
      goal: 'Invoices carry the tax number of the customer.',
      next: ['Add the field to src/invoice.ts', 'Ask Ann for an example'],
      decisions: ['The number is checked when it is entered, not when it is printed.'],
    },
    ({ success, sessionKey, phase, to, brief, instruction, warnings }) => ({
      success,
      sessionKey,
      phase,
      to,
      brief,
      instruction,
      warnings,
    }),
  );
  expect(given).toMatchObject({ success: true, phase: 'offered', to: 'codex' });
  story.name(given.sessionKey, '<sessionKey>');
  claude.die();
  story.aside('claude is killed (kill -9).');
  expect(await story.hook(codex, 'SessionStart', { source: 'startup' })).toContain('Invoices carry');
  const got = await story.call(codex, 'resume', { accept: true }, resumed);
  expect(got).toMatchObject({
    success: true,
    kind: 'offer',
    yours: true,
    sessionKey: given.sessionKey,
    phase: 'committed',
  });
  expect(got.brief.text).toContain('Invoices carry the tax number');
  const late = await story.call(
    claude,
    'updateContext',
    { sessionKey: given.sessionKey, contextType: 'message', content: 'Wait.' },
    outcome,
  );
  expect(late).toMatchObject({ success: false, errorCode: 'FORBIDDEN' });
  await isProven(got.handoffId);
  compare('one-call');
}, 120_000);

it('the first leaves a file; what it says reaches the second', async () => {
  const folder = await story.call(
    claude,
    'handOff',
    {
      goal: 'The search answers within 100 ms.',
      next: ['Measure the slowest query'],
      tried: ['A larger cache: no effect, every query is another.'],
    },
    ({ success, sessionKey, phase, instruction }) => ({ success, sessionKey, phase, instruction }),
  );
  story.name(folder.sessionKey, '<search session>');
  const file = join(story.home.project, 'HANDOFF.md');
  expect(await story.command('md', 'export', folder.sessionKey, '-o', file)).toMatchObject({ code: 0 });
  story.file(file);
  const imported = await story.command('md', 'import', file, '--agent', 'claude', '--to', 'codex', '--json');
  expect(imported.code).toBe(0);
  const { sessionKey, handoffId, warnings } = JSON.parse(imported.stdout);
  story.name(sessionKey, '<sessionKey>');
  // Two sessions with the same work: the first one is closed, as the import says.
  expect(warnings[0].message).toContain(`handover cancel ${folder.sessionKey} --close`);
  expect(await story.command('cancel', folder.sessionKey, '--close')).toMatchObject({ code: 0 });
  claude.die();
  story.aside('claude is killed (kill -9).');
  const got = await story.call(codex, 'resume', { accept: true }, resumed);
  expect(got).toMatchObject({ success: true, kind: 'offer', yours: true, sessionKey });
  expect(got.brief.text).toContain('The search answers within 100 ms.');
  const late = await story.call(
    claude,
    'updateContext',
    { sessionKey, contextType: 'message', content: 'The cache could be larger.' },
    outcome,
  );
  expect(late).toMatchObject({ success: false, errorCode: 'FORBIDDEN' });
  await isProven(handoffId);
  compare('file');
}, 120_000);

it('every result stays below its cap', () => {
  const caps: Readonly<Record<string, number>> = { resume: 6_000, handOff: 1_500 };
  const over = story.results.filter(
    ({ tool, result }) => Buffer.byteLength(JSON.stringify(result)) / 4 > (caps[tool] ?? 1_200),
  );
  expect(over).toEqual([]);
  expect(story.results.length).toBeGreaterThan(8);
});

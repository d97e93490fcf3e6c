/** `handover md`: a working session as HANDOFF.md and back, through the command, the socket and the data folder. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { digestOfText } from '../../packages/server/src/cli/install/edit/digest.js';
import { saidIn } from '../../packages/server/src/cli/md/import.js';
import { writeMdFile } from '../../packages/server/src/cli/md/md-file.js';
import { readMd } from '../../packages/server/src/cli/md/read-md.js';
import { writeMd } from '../../packages/server/src/cli/md/write-md.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { run } from '../stdio/support.js';

const written = (text: string) =>
  writeMd({ session: 's', upTo: 1, brief: { text, digest: digestOfText(text) } });

function folder() {
  const home = temporaryFolder();
  const shop = join(home, 'shop');
  mkdirSync(shop);
  const env = { HOME: home, HANDOVER_DATA_DIR: join(home, 'data'), HANDOVER_IDLE_SECS: '5' };
  return {
    data: env.HANDOVER_DATA_DIR,
    file: (name: string) => join(shop, name),
    md: (...args: string[]) => run(['md', ...args, '--project', shop], { env }),
  };
}

const FOREIGN = `# Handoff notes

Read this first.

## 🎯 Goal
The nightly import must finish before 06:00.

## Next steps:
1. Create the index on the replica
   \`\`\`sql
   CREATE INDEX CONCURRENTLY i ON t (a);
   \`\`\`
2. Measure

## Tried
- A larger pool: no effect
`;

function notesIn(text: string) {
  const read = readMd(Buffer.from(text));
  if (typeof read === 'string') throw new Error(read);
  return read.notes.map(({ kind, text: said }) => `${kind}: ${said}`).sort();
}

it('assistants:D1 assistants:D2 assistants:D3 a file of somebody else is handed over, exported, and handed over again', async () => {
  const { file, md } = folder();
  const path = file('HANDOFF.md');
  writeFileSync(path, FOREIGN);
  const first = await md('import', path, '--agent', 'claude', '--to', 'codex', '--json');
  expect(first).toMatchObject({ code: 0 });
  const handed = JSON.parse(first.stdout);
  expect(handed).toMatchObject({ success: true, phase: 'offered', to: 'codex' });

  expect(await md('export', '-o', path)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was not written by "handover md export". --force overwrites it'),
  });
  expect(readFileSync(path, 'utf8')).toBe(FOREIGN);
  const shown = await md('export', handed.sessionKey);
  expect(shown.code).toBe(0);
  expect(notesIn(shown.stdout)).toEqual(notesIn(FOREIGN));
  expect(notesIn(FOREIGN).map((note) => note.split(':')[0])).toEqual(['goal', 'next', 'next', 'tried']);

  expect(await md('export', '-o', path, '--force')).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(path, 'utf8')).toBe(shown.stdout);
  const again = await md('import', path, '--agent', 'codex');
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^shop-\d{8}-\w{4}: It waits/) });
  // The newest one of the project now, over a file of ours: no --force is needed.
  expect(await md('export', '-o', path)).toMatchObject({ code: 0 });
  expect(readFileSync(path, 'utf8')).toContain('From codex');
  expect(notesIn(readFileSync(path, 'utf8'))).toEqual(notesIn(FOREIGN));
  expect(await md('export', 'none')).toMatchObject({ code: 3, stderr: expect.stringContaining('"none"') });
}, 60_000);

it('assistants:5.5 what is imported while the session that it was made from is open says so, and how to end that', async () => {
  const { file, md } = folder();
  const [path, other] = [file('HANDOFF.md'), file('OTHER.md')];
  writeFileSync(other, FOREIGN);
  const first = await md('import', other, '--agent', 'claude', '--json');
  const { sessionKey } = JSON.parse(first.stdout);
  await md('export', sessionKey, '-o', path);
  const said = `note: ${sessionKey} is still open beside it. If it is the same work: handover cancel ${sessionKey} --close`;
  const count = ({ stderr }: { readonly stderr: string }) => stderr.split(said).length - 1;
  // In another name it is found by the file alone, in the same name also without the mark: it is said once.
  expect(count(await md('import', path, '--agent', 'codex'))).toBe(1);
  await run(['cancel', sessionKey, '--close'], {
    env: { HANDOVER_DATA_DIR: join(dirname(dirname(path)), 'data') },
  });
  expect(count(await md('import', path, '--agent', 'claude'))).toBe(0);
  const twice = await md('import', other, '--agent', 'claude');
  expect(twice.stderr).toMatch(/note: shop-.* is still open beside it/);
}, 60_000);

it('assistants:5.5 what is ticked in a list of what is to be done is done', () => {
  const text = '## TODO\n- [x] changelog\n- [ ] release\n\n## Done\n- [x] tests\n';
  expect(notesIn(text)).toEqual(['done: [x] tests', 'done: changelog', 'open: release']);
});

/** What a project could bring. Each is refused before anything is handed over or written. */
const HOSTILE: readonly (readonly [name: string, make: (path: string) => void, why: string])[] = [
  ['large.md', (path) => writeFileSync(path, 'x'.repeat(2 * 1_048_576)), 'has more than 1048576 bytes'],
  ['latin.md', (path) => writeFileSync(path, Buffer.from([0x23, 0x20, 0xe9, 0x0a])), 'is no UTF-8 text'],
  ['nul.md', (path) => writeFileSync(path, '# Goal\na\0b\n'), 'has a NUL character'],
  ['empty.md', (path) => writeFileSync(path, '\n\n'), 'says nothing'],
  ['link.md', (path) => symlinkSync('/etc/hostname', path), 'is a link, which is not followed'],
  ['pipe.md', (path) => execFileSync('mkfifo', [path]), 'is no regular file'],
  ['folder.md', (path) => mkdirSync(path), 'is no regular file'],
];

it('assistants:D3 a hostile HANDOFF.md is not handed over', () => {
  const { file } = folder();
  for (const [name, make, why] of HOSTILE) {
    make(file(name));
    expect(() => saidIn(file(name)), name).toThrow(why);
  }
  expect(() => saidIn(file('gone.md'))).toThrow('there is no');
});

it('assistants:D3 nothing is written through a link, over another kind of file, or over what somebody else wrote', () => {
  const { file } = folder();
  const [elsewhere, link, ours] = [file('elsewhere'), file('link.md'), file('ours.md')];
  writeFileSync(elsewhere, 'precious');
  symlinkSync(elsewhere, link);
  mkdirSync(file('folder.md'));
  expect(() => writeMdFile(link, 'new', true)).toThrow('is a link');
  expect(() => writeMdFile(file('folder.md'), 'new', true)).toThrow('is no regular file');
  expect(() => writeMdFile(elsewhere, 'new', false)).toThrow('--force overwrites it');
  expect(() => writeMdFile(join(file('none'), 'x.md'), 'new', false)).toThrow('there is no');
  expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
  const text = written('# x\n\n- one');
  writeMdFile(ours, text, false);
  expect(statSync(ours).mode & 0o777).toBe(0o600);
  chmodSync(ours, 0o644);
  writeMdFile(ours, written('# y'), false);
  expect(readFileSync(ours, 'utf8')).toBe(written('# y'));
  expect(statSync(ours).mode & 0o777).toBe(0o644);
  expect(readdirSync(dirname(ours)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('assistants:D3 what somebody wrote into an exported file is not overwritten', () => {
  const { file } = folder();
  const path = file('HANDOFF.md');
  const text = written('# x\n\n- one\n- two');
  for (const edited of [
    ...[`${text}- three\n`, text.replace('one', 'eins'), `${text}\n\n`, text.split('\n')[0] ?? ''],
    `${text}${'x'.repeat(1_048_576)}`,
  ]) {
    writeFileSync(path, edited);
    expect(() => writeMdFile(path, written('# new'), false)).toThrow('was edited after "handover md export"');
    expect(readFileSync(path, 'utf8')).toBe(edited);
    writeMdFile(path, written('# new'), true);
    expect(readFileSync(path, 'utf8')).toBe(written('# new'));
  }
  for (const same of [text, text.replaceAll('\n', '\r\n'), text.slice(0, -1), written('a\r\nb')]) {
    writeFileSync(path, same);
    expect(() => writeMdFile(path, written('# new'), false)).not.toThrow();
  }
});

it('console:L5 refusals end with their own codes, and no server is started for them', async () => {
  const { data, file, md } = folder();
  symlinkSync('/etc/hostname', file('link.md'));
  const refusal = await md('import', file('link.md'), '--agent', 'claude', '--json');
  expect(refusal).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(refusal.stderr)).toMatchObject({ error: { code: 'REFUSED', exit: 1 } });
  expect(await md('import', file('link.md'))).toMatchObject({ code: 2 });
  expect(existsSync(data)).toBe(false);
}, 30_000);

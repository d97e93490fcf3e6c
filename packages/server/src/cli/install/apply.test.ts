/** What happens when somebody else writes to the same file, step by step. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.js';
import { applyPuts, applyTakes } from './apply.js';
import { FileMoved, readClientFile, removeClientFile, writeClientFile } from './client-file.js';
import { entryPiece } from './piece.js';
import { planPuts, planTakes } from './plan-files.js';
import { type Insertion, readRecord, writeRecord } from './record.js';

const WHO = { client: 'gemini', scope: 'user', agent: 'gemini' } as const;

function world() {
  const root = temporaryFolder();
  const path = join(root, 'settings.json');
  const piece = entryPiece({ root, path }, 'mcpServers', { command: 'x' });
  const job = { folder: temporaryFolder(), part: undefined, again: 'again', whole: true };
  return { root, path, piece, job };
}

it('assistants:I6 a file that changed since it was read is neither written nor removed', () => {
  const { root, path } = world();
  writeFileSync(path, 'old');
  const file = readClientFile({ root, path });
  if (file.kind === 'refused') throw new Error(file.why);
  writeFileSync(path, 'theirs');
  expect(() => writeClientFile(file, 'ours', 0o600, true)).toThrow(FileMoved);
  expect(() => removeClientFile(file, undefined)).toThrow(FileMoved);
  expect(readFileSync(path, 'utf8')).toBe('theirs');
  expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('assistants:I6 what somebody else wrote meanwhile stays, and ours is put on top of it', () => {
  const { path, piece, job } = world();
  writeFileSync(path, '{}');
  let plans = 0;
  const plan = (known: readonly Insertion[]) => {
    const made = planPuts([piece], WHO, known);
    plans += 1;
    if (plans <= 2) writeFileSync(path, `{"theirs": ${plans}}`);
    return made;
  };
  applyPuts({ ...job, plan }, 0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    theirs: 2,
    mcpServers: { handover: { command: 'x' } },
  });
  expect(plans).toBe(3);
  applyTakes({ ...job, plan: (known) => planTakes([piece], WHO, known) });
  expect(readFileSync(path, 'utf8')).toBe('{"theirs": 2}');
  expect(readRecord(job.folder)).toEqual([]);
});

it('assistants:I6 somebody who never stops wins', () => {
  const { path, piece, job } = world();
  let plans = 0;
  const plan = (known: readonly Insertion[]) => {
    const made = planPuts([piece], WHO, known);
    plans += 1;
    writeFileSync(path, `{"theirs": ${plans}}`);
    return made;
  };
  expect(() => applyPuts({ ...job, plan }, 0o600)).toThrow(/is changed all the time by somebody else/);
  expect([plans, readFileSync(path, 'utf8')]).toEqual([5, '{"theirs": 5}']);
});

it('a record that could not be read again is not written', () => {
  const folder = temporaryFolder();
  const mark = { digests: ['x'], lead: '', tail: '', made: 0 };
  const one: Insertion = { ...WHO, file: 'a', place: 'b', mark, fileMade: true };
  writeRecord(folder, [one]);
  expect(() => writeRecord(folder, [{ ...one, agent: 'x'.repeat(1_048_576) }])).toThrow('more than 1 MiB');
  expect(readRecord(folder)).toEqual([one]);
});

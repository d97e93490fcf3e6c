import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installedAgents } from './installed-agents.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'handover-installed-'));
const of = (insertions: unknown): readonly string[] => {
  const folder = newFolder();
  writeFileSync(join(folder, 'installed.json'), JSON.stringify({ version: 1, insertions }));
  return installedAgents(folder);
};

it('assistants:H4 names each that was connected to this folder once, and nobody who works elsewhere', () => {
  const elsewhere = { server: 'https://handover.example' };
  expect(
    of([{ agent: 'claude' }, { agent: 'claude' }, { agent: 'codex' }, { agent: 'gemini', elsewhere }]),
  ).toEqual(['claude', 'codex']);
});

it('says nothing of names that nobody can have, and reads no more than a bounded plain file of this user', () => {
  expect(of([{ agent: '' }, { agent: 'operator' }, { agent: '*' }, { agent: 7 }, null, 'x', []])).toEqual([]);
  expect(of(Array.from({ length: 500 }, (_, n) => ({ agent: `a${n}` })))).toHaveLength(100);
  expect(of({ agent: 'claude' })).toEqual([]);
  for (const make of [
    (path: string) => mkdirSync(path),
    (path: string) => symlinkSync('/dev/zero', path),
    (path: string) => writeFileSync(path, '{"insertions": ['),
    (path: string) => {
      writeFileSync(path, '');
      truncateSync(path, 1_048_577);
    },
    () => undefined,
  ]) {
    const folder = newFolder();
    make(join(folder, 'installed.json'));
    expect(installedAgents(folder)).toEqual([]);
  }
});

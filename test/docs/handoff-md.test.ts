/** docs/assistants/handoff-md.md lists the headings that `handover md import` knows. */
import { readFileSync } from 'node:fs';
import { NOTE_KINDS, OTHER_NOTE_WORDS, SECTIONS } from '@handover/core';
import { expect, it } from 'vitest';

it('assistants:D2 the page lists every word for every kind of notes', () => {
  const page = readFileSync(new URL('../../docs/assistants/handoff-md.md', import.meta.url), 'utf8');
  const rows = NOTE_KINDS.map((kind) => {
    const words = [kind, ...OTHER_NOTE_WORDS[kind]].map((word) => `\`${word}\``);
    return `| ${SECTIONS.get(kind)} | ${words.join(', ')} |`;
  });
  const table = ['| Section | Words |', '|---|---|', ...rows].join('\n');
  expect(page).toContain(`\n${table}\n`);
});

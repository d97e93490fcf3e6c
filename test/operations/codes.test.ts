/** docs/reference/codes.md is complete: whatever code or word an agent can get stands there, and nothing else. */
import { readFileSync } from 'node:fs';
import { AskStanding, ReasonCode } from '@handover/core';
import { expect, it } from 'vitest';
import { CreateWarning } from '../../packages/server/src/services/operations/created-warnings.js';
import { SESSION_WARNINGS } from '../../packages/server/src/services/operations/families/session-start/warnings.js';

const page = readFileSync(new URL('../../docs/reference/codes.md', import.meta.url), 'utf8');

/** The codes in the first column of the table below a heading. */
function codesUnder(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const cells = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code)).sort();
}

it.each<[string, readonly string[]]>([
  ['`reasonCode`', Object.values(ReasonCode)],
  ["`warnings` of a create tool's answer", Object.values(CreateWarning)],
  ['`validation.warnings` of a session start', SESSION_WARNINGS],
])('review:H2 every code of %s is in the reference', (heading, codes) => {
  expect(codesUnder(heading)).toEqual([...codes].sort());
});

it('review:H2 the words for prompts that may still be open are in the reference', () => {
  const [, row = ''] = /^\| `asks\[\]\.standing` \| (.*)$/m.exec(page) ?? [];
  const { Open, Unclear, Quiet, Lapsed } = AskStanding;
  expect([Open, Unclear, Quiet, Lapsed].filter((word) => !row.includes(`\`${word}\``))).toEqual([]);
});

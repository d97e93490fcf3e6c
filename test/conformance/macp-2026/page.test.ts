/** How a page is taken apart. The page itself is compared in coverage.test.ts, where it is at hand; this holds everywhere. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { manifestText, readManifest, readPage, sectionsOf, sentencesOf, statementsOf } from './page.js';

const PAGE = `A title, and words before the first section
## 1. Of calls
One thing. Another; a third that
goes on. In version 1. nothing ends (so it says.) A last one
- a bullet: it
  goes on
| a row. | with a stop; and more |
|---|---|
1.1 A number begins a section. Its second

----
### 2.3 A heading alone
`;

describe('a page', () => {
  it('has sections by heading or by number, and statements by stop, semicolon, bullet, row and heading', () => {
    const sections = [...sectionsOf(PAGE)].map(([section, text]) => [section, sentencesOf(text)]);
    expect(sections).toEqual([
      [
        '1',
        [
          '## 1. Of calls',
          'One thing.',
          'Another;',
          'a third that goes on.',
          'In version 1. nothing ends (so it says.)',
          'A last one',
          '- a bullet: it goes on',
          '| a row. | with a stop; and more |',
        ],
      ],
      ['1.1', ['1.1 A number begins a section.', 'Its second']],
      ['2.3', ['### 2.3 A heading alone']],
    ]);
  });

  it('is another when one word of it is', () => {
    const now = statementsOf(PAGE);
    const then = statementsOf(PAGE.replace('Another', 'No other'));
    const differing = now.filter(({ sha256 }, index) => sha256 !== then[index]?.sha256);
    expect(differing).toEqual([
      { section: '1', ordinal: 3, sha256: createHash('sha256').update('Another;').digest('hex') },
    ]);
  });

  it('is not there beside every clone', () => {
    expect(readPage(new URL('./no-such-page.md', import.meta.url))).toBeUndefined();
  });
});

describe('the pinned statements', () => {
  it('are counted from 1 in each section, each with a digest', () => {
    const pinned = readManifest();
    expect(pinned.length).toBeGreaterThan(800);
    const last = new Map<string, number>();
    for (const { section, ordinal, sha256 } of pinned) {
      expect([section, ordinal]).toEqual([section, (last.get(section) ?? 0) + 1]);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      last.set(section, ordinal);
    }
    expect(statementsOf('')).toEqual([]);
    expect(manifestText(pinned.slice(0, 1))).toMatch(/^0 1 [0-9a-f]{64}\n$/);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { idsCitedBy, idsCitedByTests } from './cited-ids.js';
import { loadFixtures } from './load-fixtures.js';
import { macp2026, SECTIONS } from './macp-2026/rows.js';
import { notFixtures } from './not-fixtures.js';
import { requirements } from './requirements.js';

const known: readonly string[] = requirements.map((row) => row.id);
const byFixtures = new Set<string>(loadFixtures().flatMap(({ fixture }) => fixture.verifies));
const byTests = idsCitedByTests();

const read = (page: string) => readFileSync(new URL(`../../docs/spec/${page}.md`, import.meta.url), 'utf8');
/** Sections stand as headings, or at the beginning of a paragraph. */
const numbersIn = (page: string): readonly string[] =>
  [...read(page).matchAll(/^(?:#+ )?(\d+(?:\.\d+)*)\.? /gm)].map(([, number = '']) => number);

describe('requirements', () => {
  it('have ids of their own', () => {
    expect(known.filter((id, index) => known.indexOf(id) !== index)).toEqual([]);
  });

  it('have a fixture, or a reason why not', () => {
    const withoutFixture = known.filter((id) => !byFixtures.has(id)).sort();
    expect(withoutFixture).toEqual(Object.values(notFixtures).flat().sort());
  });

  it('exist when a test cites them', () => {
    const unknown = [...byTests].flatMap(([file, ids]) =>
      ids.filter((id) => !known.includes(id)).map((id) => `${file}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have a test', () => {
    const cited = new Set([...byFixtures, ...[...byTests.values()].flat()]);
    const untested = requirements.filter((row) => !cited.has(row.id));
    expect(untested.map((row) => `${row.id} (${row.source} ${row.section}): ${row.sentence}`)).toEqual([]);
  });
});

describe('the page of 2026', () => {
  it('is known section by section', () => {
    expect([...new Set(macp2026.map(({ section }) => section))]).toEqual(SECTIONS);
  });

  it('is shown row by row', () => {
    const bare = macp2026.filter(({ by }) => by.length === 0);
    expect(bare.map(({ section, says }) => `${section} ${says}`)).toEqual([]);
  });

  it('has every requirement that comes from it', () => {
    const shown = new Set<string>(macp2026.flatMap(({ by }) => by));
    const loose = requirements.filter(({ source, id }) => source === 'MACP-2026' && !shown.has(id));
    expect(loose.map(({ id }) => id)).toEqual([]);
  });

  it('is told in our own words, by the same numbers', () => {
    // 16 and 17 have a page of their own.
    const told = new Set([...numbersIn('macp-2026'), ...numbersIn('macp-http')]);
    expect(SECTIONS.filter((section) => !told.has(section))).toEqual([]);
  });

  it('says where we do otherwise, and the page of our own says the same', () => {
    const rows = macp2026.flatMap(({ section, says, otherwise }) =>
      otherwise === undefined ? [] : [`| ${section} | ${says} | ${otherwise} |`],
    );
    const told = read('macp-2026')
      .split('\n')
      .filter((line) => /^\| \d/.test(line) && line.split(' | ').length === 3);
    expect(told).toEqual(rows);
  });
});

describe('the scan', () => {
  it('finds the literals of every call, over several lines', () => {
    // Built from parts, so that the scan of this file does not find them.
    const call = 'verifies';
    expect(idsCitedBy(`${call}('a:b')\nit(${call}(\n  "c:d",\n  'e:f',\n) + 'name')`)).toEqual([
      'a:b',
      'c:d',
      'e:f',
    ]);
  });
});

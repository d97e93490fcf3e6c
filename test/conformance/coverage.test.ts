import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { idsCitedBy, idsCitedByTests } from './cited-ids.js';
import { loadFixtures } from './load-fixtures.js';
import { asksNothing } from './macp-2026/asks-nothing.js';
import { ordinalsOf } from './macp-2026/ordinals.js';
import { readManifest, readPage, statementsOf } from './macp-2026/page.js';
import { macp2026 } from './macp-2026/rows.js';
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
  const pinned = readManifest();
  const pinnedOf = (section: string) => pinned.filter((one) => one.section === section);
  const placesIn = (section: string): readonly number[] => pinnedOf(section).map(({ ordinal }) => ordinal);
  const SECTIONS = [...new Set(pinned.map(({ section }) => section))];

  it.each(SECTIONS)('%s: each statement has a row, or a reason why not', (section) => {
    const shown = macp2026.filter((row) => row.section === section).flatMap(({ ordinals }) => ordinals);
    const asking = placesIn(section).filter((place) => !placesOfNoDemand(section).includes(place));
    expect(asking.filter((place) => !shown.includes(place)).map(named(section))).toEqual([]);
  });

  it('has the statements that rows and reasons name', () => {
    const reasons = Object.values(asksNothing).flatMap((places) =>
      Object.entries(places).map(([section, of]) => ({ section, ordinals: ordinalsOf(of) })),
    );
    const missing = [...macp2026, ...reasons].flatMap(({ section, ordinals }) =>
      ordinals.filter((place) => !placesIn(section).includes(place)).map(named(section)),
    );
    expect(missing).toEqual([]);
  });

  it('asks nothing only where no row answers', () => {
    const both = macp2026.flatMap(({ section, ordinals }) =>
      ordinals.filter((place) => placesOfNoDemand(section).includes(place)).map(named(section)),
    );
    expect(both).toEqual([]);
  });

  const page = readPage();
  it.skipIf(page === undefined)(
    'says what it said when its statements were pinned, where it is at hand',
    () => {
      const now = statementsOf(page ?? '');
      const differing = now.filter(({ section, ordinal, sha256 }) => {
        const then = pinnedOf(section).find((one) => one.ordinal === ordinal);
        return then?.sha256 !== sha256;
      });
      const gone = pinned.filter(
        (one) => !now.some(({ section, ordinal }) => section === one.section && ordinal === one.ordinal),
      );
      const names = [...differing, ...gone].map(({ section, ordinal }) => named(section)(ordinal));
      expect(names, 'read them, mend their rows, then run test/conformance/macp-2026/pin-page.ts').toEqual(
        [],
      );
    },
  );

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
    // 16 and 17 have a page of their own. A section that is a heading alone asks nothing.
    const told = new Set([...numbersIn('macp-2026'), ...numbersIn('macp-http')]);
    const asking = [...new Set(macp2026.map(({ section }) => section))];
    expect(asking.filter((section) => !told.has(section))).toEqual([]);
  });

  it('is left only where something was decided', () => {
    const table = read('macp-2026').split('\n## 1. ')[0] ?? '';
    const [, words = ''] = table.split('\nDecided with that page:\n');
    const loose = macp2026.filter(
      ({ otherwise, decision = '' }) =>
        otherwise !== undefined &&
        !existsSync(new URL(`../../docs/decisions/${decision}.md`, import.meta.url)) &&
        !(decision !== '' && words.includes(`- ${decision}:`)),
    );
    expect(loose.map(({ section, says, decision }) => `${section} ${says}: ${decision}`)).toEqual([]);
  });

  it('says where we do otherwise, and the page of our own says the same', () => {
    const rows = macp2026.flatMap(({ section, says, otherwise, decision = '' }) =>
      otherwise === undefined ? [] : [`| ${section} | ${says} | ${otherwise} | ${whereDecided(decision)} |`],
    );
    const told = read('macp-2026')
      .split('\n')
      .filter((line) => /^\| \d/.test(line) && line.split(' | ').length === 4);
    expect(told).toEqual(rows);
  });
});

const named =
  (section: string) =>
  (ordinal: number): string =>
    `${section} statement ${ordinal}`;

const placesOfNoDemand = (section: string): readonly number[] =>
  Object.values(asksNothing).flatMap((places) => {
    const of = places[section];
    return of === undefined ? [] : ordinalsOf(of);
  });

const whereDecided = (decision: string): string =>
  /^\d{4}-/.test(decision) ? `[why](../decisions/${decision}.md)` : decision;

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

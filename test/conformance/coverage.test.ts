import { describe, expect, it } from 'vitest';
import { idsCitedBy, idsCitedByTests } from './cited-ids.js';
import { loadFixtures } from './load-fixtures.js';
import { notFixtures } from './not-fixtures.js';
import { requirements } from './requirements.js';

const known: readonly string[] = requirements.map((row) => row.id);
const byFixtures = new Set<string>(loadFixtures().flatMap(({ fixture }) => fixture.verifies));
const byTests = idsCitedByTests();

describe('requirements', () => {
  it('have ids of their own', () => {
    expect(known.filter((id, index) => known.indexOf(id) !== index)).toEqual([]);
  });

  it('have a fixture, or a reason why not', () => {
    const withoutFixture = known.filter((id) => !byFixtures.has(id)).sort();
    expect(withoutFixture).toEqual(Object.keys(notFixtures).sort());
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

import { describe } from 'vitest';
import type { Fixture } from './fixture-types.js';
import { loadFixtures } from './load-fixtures.js';
import { defineFixtureSuite } from './wire/suite.js';

/** Those that name a door are about that door. */
const namesDoor = ({ start, setup = [], messages }: Fixture) =>
  start?.door !== undefined || [...setup, ...messages].some((step) => 'door' in step);

describe('fixtures over the HTTP binding', () => {
  defineFixtureSuite(
    loadFixtures().filter(({ fixture }) => !namesDoor(fixture)),
    'binding',
  );
});

import { describe } from 'vitest';
import type { Fixture } from './fixture-types.js';
import { loadFixtures } from './load-fixtures.js';
import { defineFixtureSuite } from './wire/suite.js';

/** Those that name a door are run as they say by the suite over gRPC. */
const namesDoor = ({ start, setup = [], messages }: Fixture) =>
  start?.door !== undefined || [...setup, ...messages].some((step) => 'door' in step);

describe('fixtures over HTTP', () => {
  defineFixtureSuite(
    loadFixtures().filter(({ fixture }) => !namesDoor(fixture)),
    'http',
  );
});

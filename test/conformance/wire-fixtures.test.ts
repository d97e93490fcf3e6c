import { describe } from 'vitest';
import { loadFixtures } from './load-fixtures.js';
import { defineFixtureSuite } from './wire/suite.js';

describe('fixtures over gRPC, steps with a door through that one', () => {
  defineFixtureSuite(loadFixtures(), 'grpc');
});

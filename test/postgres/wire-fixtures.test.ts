/** The fixtures of the protocol, over gRPC, on a server with its log in PostgreSQL. */
import { afterAll, beforeAll, describe } from 'vitest';
import { loadFixtures } from '../conformance/load-fixtures.js';
import { defineFixtureSuite } from '../conformance/wire/suite.js';

beforeAll(() => {
  process.env.HANDOVER_TEST_STORE = 'postgres';
});
afterAll(() => {
  delete process.env.HANDOVER_TEST_STORE;
});

describe('fixtures on PostgreSQL', () => {
  defineFixtureSuite(loadFixtures(), 'grpc');
});

import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFirst } from './test/kit/slow-first.js';

const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/`, import.meta.url));

const EVERYTHING = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'];

/** These replace a module for themselves, or count what is on the heap. All others share what a worker has loaded, which saves a third of the time. */
const ALONE = ['packages/server/src/auth/static-tokens.test.ts', 'test/hardening/h09-mcp-listeners.test.ts'];

export default defineConfig({
  resolve: {
    alias: [
      { find: '@handover/engine/store-contract', replacement: `${source('engine')}store-contract.ts` },
      { find: /^@handover\/(core|evm|wire|engine|server)$/, replacement: `${source('$1')}index.ts` },
      { find: /^macp-sdk-typescript$/, replacement: `${source('sdk')}index.ts` },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: EVERYTHING,
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
    sequence: { sequencer: SlowFirst },
    setupFiles: ['test/kit/after-each-file.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Patient, since two cores are shared by everything that is tested at once.
    expect: { poll: { timeout: 20_000, interval: 10 } },
    // Whole-system tests start processes and sockets; two cores are shared by all of them.
    maxWorkers: 2,
    // Tests of pages wait more than they work: a few of a file go side by side.
    maxConcurrency: 3,
  },
});

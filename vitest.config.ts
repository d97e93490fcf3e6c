import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: '@handover/engine/store-contract', replacement: `${source('engine')}store-contract.ts` },
      { find: /^@handover\/(core|evm|wire|engine|server)$/, replacement: `${source('$1')}index.ts` },
      { find: /^macp-sdk-typescript$/, replacement: `${source('sdk')}index.ts` },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
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

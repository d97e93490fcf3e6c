/**
 * `npm run test:unit`: the tests beside the code that need nothing but this process. Those that need sockets, processes
 * or a database on disk are named here; `npm test` runs everything.
 */
import { defineConfig } from 'vitest/config';
import everything from './vitest.config.js';

const NEED_SOCKETS = [
  'packages/server/src/auth/{authenticator-for,client-certificate,fetch-text}.test.ts',
  'packages/server/src/doors/grpc/{door,tls}.test.ts',
  'packages/server/src/doors/grpc/{methods,stream-session}/*.test.ts',
  'packages/server/src/doors/http/door.test.ts',
  'packages/server/src/doors/http/binding/*.test.ts',
  'packages/server/src/doors/http/routes/events.test.ts',
];
const NEED_A_DATABASE = [
  'packages/server/src/store/sqlite/*.test.ts',
  'packages/server/src/proof/verify-data.test.ts',
  'packages/server/src/cli/audit-commands.test.ts',
];

const { projects: _all, ...rest } = everything.test ?? {};

export default defineConfig({
  ...everything,
  test: {
    ...rest,
    include: ['packages/*/src/**/*.test.ts'],
    exclude: [...NEED_SOCKETS, ...NEED_A_DATABASE],
    setupFiles: ['test/kit/after-each-file.ts', 'test/kit/no-sockets.ts'],
  },
});

/**
 * The layer rule, re-derived from the sources so that no lint comment can switch it off. The rules are the table in
 * layers.ts; here every source is held against it, and the checker against sources that break it.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breachesOf, layerOf, staleExceptions } from './breaches.js';
import { type LayerName, layers } from './layers.js';
import { readSources, sourceOf } from './sources.js';

const sources = readSources();
const names = Object.keys(layers) as LayerName[];
const packageOf = (name: LayerName): string => layers[name].holds[0]?.split('/')[0] ?? '';
const isThere = (name: LayerName): boolean =>
  existsSync(new URL(`../../packages/${packageOf(name)}/package.json`, import.meta.url));

describe('layers', () => {
  it('every source is in a layer', () => {
    expect(sources.filter(({ path }) => layerOf(path) === undefined).map(({ path }) => path)).toEqual([]);
  });

  it.each(names.filter(isThere))('%s holds sources', (name) => {
    expect(sources.filter(({ path }) => layerOf(path) === name)).not.toEqual([]);
  });

  it.each(names)('%s imports what it may and nothing else', (name) => {
    expect(sources.filter(({ path }) => layerOf(path) === name).flatMap(breachesOf)).toEqual([]);
  });

  /** Inside core: sessions run any mode, so nothing that all modes share may know one of them. */
  const MODE = /^core\/src\/modes\/[^/]+\//;
  it.each([
    ['session', (name: string) => MODE.test(name) || name.startsWith('core/src/bound-session/')],
    ['envelope', (name: string) => MODE.test(name)],
    ['registry', (name: string) => MODE.test(name)],
    ['policy', (name: string) => name.startsWith('core/src/modes/')],
  ])('core/src/%s knows no mode by name', (folder, isForeign) => {
    const inFolder = sources.filter(({ path }) => path.startsWith(`core/src/${folder}/`));
    expect(inFolder).not.toEqual([]);
    expect(
      inFolder.flatMap(({ path, imports }) => imports.filter(isForeign).map((name) => [path, name])),
    ).toEqual([]);
  });

  it('no exception has outlived its need', () => {
    expect(staleExceptions(sources)).toEqual([]);
  });

  it('no layer stands above itself', () => {
    const below = (name: string, path: readonly string[]): readonly string[] =>
      path.includes(name)
        ? [[...path, name].join(' -> ')]
        : layers[name as LayerName].layers.flatMap((next) => below(next, [...path, name]));
    expect(names.flatMap((name) => below(name, []))).toEqual([]);
  });
});

/** For each layer an import that must be noticed, from a file that is not there. */
const forbidden: Readonly<Record<LayerName, readonly [path: string, ...imports: string[]]>> = {
  core: ['core/src/session/x.ts', 'node:fs', '@handover/wire', '@handover/engine', 'ox', '@handover/evm'],
  evm: ['evm/src/xdala/x.ts', 'node:crypto', '@handover/server', '@handover/engine', 'viem'],
  wire: ['wire/src/x.ts', '@handover/engine', 'macp-sdk-typescript', 'node:buffer', '@grpc/grpc-js'],
  engine: ['engine/src/x.ts', '@handover/wire', '@handover/evm', '@handover/server', 'node:timers'],
  sdk: ['sdk/src/client/x.ts', '@handover/engine', '@handover/evm', '@handover/server', 'ox', 'hono'],
  web: ['web/src/ui/x.tsx', '@handover/server', '@handover/engine', '@handover/wire', 'node:fs', 'viem'],
  version: ['server/src/version.ts', './config/configuration.js'],
  platform: ['server/src/platform/x.ts', '../config/configuration.js', '../services/dependencies.js'],
  auth: ['server/src/auth/x.ts', '../config/configuration.js', '../doors/http/door.js', '../store/x.js'],
  texts: ['server/src/texts/x.ts', '../services/dependencies.js', '../doors/mcp/door.js', 'node:fs'],
  keys: ['server/src/keys/x.ts', '../config/configuration.js', '../services/dependencies.js'],
  observe: ['server/src/observe/x.ts', '../services/dependencies.js', '../config/configuration.js'],
  config: ['server/src/config/x.ts', '../services/dependencies.js', '../effects/webhooks/webhooks.js'],
  store: [
    'server/src/store/sqlite/x.ts',
    '../../doors/grpc/door.js',
    '../../auth/jwt.js',
    '../../services/x.js',
  ],
  chain: ['server/src/chain/x.ts', '../services/operations/record.js', '../effects/chain/verifier.js'],
  proof: ['server/src/proof/x.ts', '../store/sqlite/index.js', '../services/dependencies.js'],
  'proof of a folder': ['server/src/proof/verify-data.ts', '../services/dependencies.js', '../cli/verify.js'],
  services: [
    'server/src/services/macp/x.ts',
    '../../doors/grpc/door.js',
    '../../doors/status-table.js',
    '../../store/sqlite/index.js',
    '../../proof/verify-data.js',
    '../../compose/store.js',
    '../../effects/webhooks/types.js',
  ],
  effects: ['server/src/effects/chain/x.ts', '../../doors/http/door.js', '../../compose/store.js'],
  doors: ['server/src/doors/x.ts', './grpc/door.js', '../services/dependencies.js'],
  grpc: ['server/src/doors/grpc/x.ts', '../http/http-types.js', '../../store/x.js', '../../compose/store.js'],
  http: ['server/src/doors/http/x.ts', '../grpc/door.js', '../mcp/door.js', '../../store/x.js'],
  mcp: [
    'server/src/doors/mcp/x.ts',
    '../http/door.js',
    '../pages/door.js',
    '../../store/x.js',
    '@grpc/grpc-js',
  ],
  api: ['server/src/doors/api/x.ts', '../http/door.js', '../mcp/door.js', '../../store/x.js', 'node:fs'],
  pages: ['server/src/doors/pages/x.ts', '../http/door.js', '../mcp/door.js', '../../chain/port.js'],
  socket: ['server/src/doors/socket/x.ts', '../mcp/door.js', '../../compose/store.js', '../../store/x.js'],
  compose: ['server/src/compose/x.ts', '../server.js', '../cli/serve.js', '@handover/web'],
  server: ['server/src/server.ts', './cli/serve.js', '@handover/web', 'macp-sdk-typescript'],
  cli: ['server/src/cli/x.ts', '../compose/store.js', '../doors/grpc/door.js', '@handover/web'],
};

describe('the checker notices a breach', () => {
  it.each(Object.entries(forbidden))('of %s', (name, [path, ...imports]) => {
    expect(layerOf(path)).toBe(name);
    for (const imported of imports) {
      const source = sourceOf(path, `import { x } from '${imported}';\n`);
      expect(breachesOf(source), imported).toHaveLength(1);
    }
  });

  it.each([
    "import type { X } from '../store/x.js'",
    "import '../store/x.js'",
    "export * from '../store/x.js'",
    "export type { X } from '../store/x.js'",
    "const x = await import('../store/x.js')",
    "let x: import('../store/x.js').X",
  ])('by %s', (text) => {
    expect(breachesOf(sourceOf('server/src/services/x.ts', text))).toEqual([
      'server/src/services/x.ts (services) imports server/src/store/x.ts (store)',
    ]);
  });

  it('of a file in no layer, and of one behind a door nobody knows', () => {
    expect(breachesOf(sourceOf('server/src/stray.ts', ''))).toEqual(['server/src/stray.ts is in no layer']);
    expect(layerOf('server/src/doors/fax/door.ts')).toBeUndefined();
  });

  it('and leaves text that only looks like an import alone', () => {
    const text = "// import '../store/x.js'\nconst x = `from '../store/x.js'`;\n";
    expect(breachesOf(sourceOf('server/src/services/x.ts', text))).toEqual([]);
  });
});

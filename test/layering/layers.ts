/**
 * The layers, as data: which files a layer holds and what these may import. A file may always import its own layer.
 *
 *   core <- wire, evm, engine <- sdk, web, server
 *   in the server: platform, keys, auth, observe, config, store, chain, proof <- services <- effects, doors <- compose
 */
export interface Layer {
  /**
   * Paths below packages/: `a/` holds everything under a, `a/*` only the files directly in it, anything else is one
   * file. The longest that fits a file decides.
   */
  readonly holds: readonly string[];
  /** Other layers. */
  readonly layers: readonly string[];
  /** Modules of others, with everything below them; `node:` stands for all of Node. */
  readonly modules: readonly string[];
}

const server = (path: string): string => `server/src/${path}`;

/** What compose puts together: every part of the server. */
const everyPart = [
  ...['core', 'evm', 'engine', 'wire', 'version', 'platform', 'auth', 'keys', 'observe', 'config', 'store'],
  ...['chain', 'proof', 'services', 'effects', 'doors', 'grpc', 'http', 'mcp', 'api', 'pages', 'socket'],
];

const table = {
  core: { holds: ['core/src/'], layers: [], modules: [] },
  evm: { holds: ['evm/src/'], layers: ['core'], modules: ['ox', '@dagrejs/dagre', '@scure/bip39'] },
  wire: { holds: ['wire/src/'], layers: ['core'], modules: ['@bufbuild/protobuf'] },
  engine: { holds: ['engine/src/'], layers: ['core'], modules: [] },
  sdk: { holds: ['sdk/src/'], layers: ['core', 'wire'], modules: ['@grpc/grpc-js', 'node:'] },
  web: {
    holds: ['web/src/'],
    layers: ['core', 'evm'],
    modules: ['preact', '@preact/signals', '@dagrejs/dagre'],
  },

  version: { holds: [server('version.ts')], layers: ['platform'], modules: ['node:'] },
  platform: { holds: [server('platform/')], layers: ['core', 'engine', 'wire'], modules: ['node:'] },
  auth: { holds: [server('auth/')], layers: ['core', 'platform'], modules: ['jose', 'node:'] },
  keys: { holds: [server('keys/')], layers: ['core', 'platform'], modules: ['node:'] },
  observe: {
    holds: [server('observe/')],
    layers: ['core', 'engine', 'auth'],
    modules: ['pino', 'prom-client'],
  },
  config: {
    holds: [server('config/')],
    layers: ['core', 'auth', 'keys', 'observe', 'platform'],
    modules: ['node:'],
  },
  store: {
    holds: [server('store/')],
    layers: ['core', 'engine', 'platform'],
    modules: ['libsql', 'pg', 'node:'],
  },
  chain: { holds: [server('chain/')], layers: ['core', 'evm', 'config', 'platform'], modules: ['node:'] },
  proof: { holds: [server('proof/')], layers: ['core', 'engine', 'keys', 'platform'], modules: ['node:'] },
  // Reads the tables of a data folder that nobody serves; services must not reach a store by way of proof.
  'proof of a folder': {
    holds: [
      server('proof/involvements.ts'),
      server('proof/sqlite-checks.ts'),
      server('proof/verify-data.ts'),
    ],
    layers: ['core', 'engine', 'proof', 'store'],
    modules: ['node:'],
  },
  services: {
    holds: [server('services/')],
    layers: [
      'core',
      'evm',
      'engine',
      'wire',
      'auth',
      'chain',
      'config',
      'keys',
      'observe',
      'platform',
      'proof',
      'version',
    ],
    modules: ['node:'],
  },
  effects: {
    holds: [server('effects/')],
    layers: ['core', 'evm', 'engine', 'auth', 'chain', 'config', 'keys', 'observe', 'platform', 'services'],
    modules: ['node:'],
  },

  // Words for models that several doors and commands say alike.
  texts: { holds: [server('texts/')], layers: [], modules: [] },
  doors: { holds: [server('doors/*')], layers: ['core'], modules: ['@grpc/grpc-js'] },
  grpc: {
    holds: [server('doors/grpc/')],
    layers: ['core', 'engine', 'wire', 'auth', 'config', 'observe', 'platform', 'services', 'doors'],
    modules: ['@grpc/grpc-js', '@grpc/reflection', 'grpc-health-check', 'node:'],
  },
  http: {
    holds: [server('doors/http/')],
    layers: ['core', 'engine', 'wire', 'auth', 'config', 'observe', 'platform', 'services', 'doors'],
    modules: ['hono', '@hono/node-server', 'zod', 'node:'],
  },
  mcp: {
    holds: [server('doors/mcp/')],
    layers: ['core', 'evm', 'engine', 'auth', 'config', 'observe', 'platform', 'services', 'doors', 'texts'],
    modules: ['@modelcontextprotocol/server', 'zod', 'node:'],
  },
  api: {
    holds: [server('doors/api/')],
    layers: ['core', 'auth', 'config', 'services', 'doors'],
    modules: ['hono'],
  },
  pages: {
    holds: [server('doors/pages/')],
    layers: ['core', 'evm', 'auth', 'config', 'observe', 'platform', 'services', 'doors'],
    modules: ['hono', 'zod', 'node:'],
  },
  socket: {
    holds: [server('doors/socket/')],
    layers: ['core', 'auth', 'config', 'observe', 'platform', 'services', 'doors', 'version'],
    modules: ['zod', 'node:'],
  },

  compose: { holds: [server('compose/')], layers: everyPart, modules: ['node:'] },
  server: {
    holds: [server('server.ts'), server('index.ts')],
    layers: [...everyPart, 'compose'],
    modules: ['node:'],
  },
  cli: {
    holds: [server('cli/')],
    // It starts the server, speaks to one through its socket, and reads folders that nobody serves.
    layers: [
      ...['core', 'evm', 'engine', 'version', 'platform', 'auth', 'keys', 'observe', 'config', 'store'],
      ...['proof', 'proof of a folder', 'services', 'effects', 'socket', 'server', 'texts'],
    ],
    // The last three read and compare the configuration files of assistants.
    modules: ['commander', 'zod', 'node:', 'jsonc-parser', 'smol-toml', 'diff'],
  },
} as const satisfies Record<string, Layer>;

export type LayerName = keyof typeof table;
export const layers: Readonly<Record<LayerName, Layer>> = table;

/** What breaks a rule of the table on purpose. */
export interface Exception {
  /** A layer, or one file below packages/. */
  readonly from: string;
  /** Files below packages/. */
  readonly imports: readonly string[];
  readonly because: string;
}

const http = (name: string): string => server(`doors/http/${name}.ts`);

export const exceptions: readonly Exception[] = [
  {
    from: 'mcp',
    imports: [http('http-types'), http('body'), http('event-streams'), http('principal')],
    because:
      'MCP over HTTP is mounted on the app of the HTTP door, which bounds and authenticates its requests and beats for its streams.',
  },
  {
    from: 'api',
    imports: [http('http-types'), http('body'), http('errors'), http('api-error'), http('principal')],
    because:
      'The API is mounted on the app of the HTTP door, which bounds its requests and refuses in its form.',
  },
  {
    from: 'pages',
    imports: [http('http-types'), http('body'), http('client-address'), http('errors')],
    because: 'Pages and their API are mounted on the app of the HTTP door and answer errors as it does.',
  },
  {
    from: 'config',
    imports: [server('effects/webhooks/types.ts'), server('effects/webhooks/signature.ts')],
    because: 'An endpoint gets its signer while it is read, so that no configuration holds a secret.',
  },
  {
    from: 'auth',
    imports: [server('config/fixed-limits.ts')],
    because: 'Limits that no setting changes stand in one table, which imports core alone.',
  },
  {
    from: server('observe/ready-line.ts'),
    imports: [server('config/address.ts')],
    because: 'The ready line writes addresses as settings are written.',
  },
];

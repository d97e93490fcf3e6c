/**
 * One MCP server object: made for one request (newest revision), one session or one connection, and never shared, so that
 * no client can see another's answers. It is the SDK's low-level server: the tables below are made once per process,
 * and only looked up per request.
 */

import { Server, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Principal } from '../../auth/principal.js';
import type { Subscription } from './changes/subscriptions.js';
import type { McpDependencies } from './dependencies.js';
import { handleCompletion } from './handle-completion.js';
import { handleTools } from './handle-tools.js';
import { INSTRUCTIONS } from './instructions.js';
import { handlePrompts } from './prompts/handle-prompts.js';
import { handleResources } from './resources/handle-resources.js';

export interface McpServerOptions {
  /** Who is asking. Over HTTP each request says so; a connection is one caller's. */
  caller(context: ServerContext): Principal;
  /** Where `resources/subscribe` (2025 revisions) is kept; absent: the revision has another way. */
  readonly subscriptionOf?: () => Subscription;
  readonly era: 'legacy' | 'modern';
  /** When only one method will be called, its name: what serves the others need not be set up. */
  readonly method?: string | null;
}

const FIVE_MINUTES = 300_000;
/** Lists of tools and of resources depend on scopes, so nobody else may keep them. */
const CACHE_HINTS: NonNullable<ServerOptions['cacheHints']> = {
  'tools/list': { ttlMs: FIVE_MINUTES, cacheScope: 'private' },
  'prompts/list': { ttlMs: FIVE_MINUTES, cacheScope: 'public' },
  'resources/templates/list': { ttlMs: FIVE_MINUTES, cacheScope: 'public' },
  'server/discover': { ttlMs: FIVE_MINUTES, cacheScope: 'public' },
};
const OPTIONS: ServerOptions = {
  capabilities: {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    completions: {},
  },
  instructions: INSTRUCTIONS,
  cacheHints: CACHE_HINTS,
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
};

export function createMcpServer(deps: McpDependencies, options: McpServerOptions): Server {
  const server = new Server(
    { name: deps.serverName(), title: 'Handover', version: deps.serverVersion },
    OPTIONS,
  );
  const { caller, method } = options;
  const serves = (family: string) => !method || method.startsWith(family);
  if (serves('tools/')) handleTools(server, deps, caller);
  if (serves('resources/')) handleResources(server, deps, options);
  if (serves('prompts/')) handlePrompts(server);
  if (serves('completion/')) handleCompletion(server, deps, caller);
  return server;
}

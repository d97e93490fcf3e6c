/**
 * One MCP server object. It is made for one request (newer era), one HTTP session or one connection, and never shared,
 * so that no client can see another's answers. It is the SDK's low-level server: the tables of tools and resources are
 * made once per process, and a request only looks things up in them.
 */

import type { Server, ServerContext, ServerOptions } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../../services/connection.js';
import { reachesOthers } from '../../services/handoffs/open-parking.js';
import type { Outcome } from '../../services/outcome.js';
import type { Subscription } from './changes/subscriptions.js';
import type { McpDependencies } from './dependencies.js';
import { handleCompletion } from './handle-completion.js';
import { handleTools } from './handle-tools.js';
import { ICON } from './icon.js';
import { instructionsFor } from './instructions.js';
import { handlePrompts } from './prompts/handle-prompts.js';
import { handleResources } from './resources/handle-resources.js';
import { StrictServer } from './strict-server.js';

export interface McpServerOptions {
  /** Who is asking. Over HTTP each request has its own caller; a connection has one for its whole life. */
  caller(context: ServerContext): Principal;
  /** From where. */
  connection(context: ServerContext): Connection;
  /**
   * Keeps what `resources/subscribe` asks for (older era); rejected when the caller has too many listeners. The newer era
   * has `subscriptions/listen` instead.
   */
  readonly subscriptionOf?: () => Outcome<Subscription>;
  /** Who connects and how, at the beginning: the client is told of tools that are listed for it. */
  readonly opener: { readonly principal: Principal; readonly connection: Connection };
  /** The name of a connection, also where only its client's name stands in: it is told to the model. */
  readonly agent?: string;
  readonly era: 'legacy' | 'modern';
  /** The name of the method, when only one will be called: handlers of the others are not set up. */
  readonly method?: string | null;
}

const FIVE_MINUTES = 300_000;
/** The list of tools depends on the caller's scopes, and what is said of the server names the caller: neither may be kept for others. */
const CACHE_HINTS: NonNullable<ServerOptions['cacheHints']> = {
  'tools/list': { ttlMs: FIVE_MINUTES, cacheScope: 'private' },
  'prompts/list': { ttlMs: FIVE_MINUTES, cacheScope: 'public' },
  'resources/templates/list': { ttlMs: FIVE_MINUTES, cacheScope: 'public' },
  'server/discover': { ttlMs: FIVE_MINUTES, cacheScope: 'private' },
};
const OPTIONS: ServerOptions = {
  capabilities: {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    completions: {},
  },
  cacheHints: CACHE_HINTS,
  jsonSchemaValidator: new AjvJsonSchemaValidator(),
};

/** A caller whose name nobody chose has none yet. */
const nameOf = ({ agent, unnamed }: Principal): string | undefined => (unnamed ? undefined : agent);

export function createMcpServer(deps: McpDependencies, options: McpServerOptions): Server {
  const { caller, method, opener, agent } = options;
  // The newer era repeats this in every answer; over HTTP only the one that asks for it gets the picture and the words.
  const saysWhoItIs = !method || method === 'server/discover';
  const server = new StrictServer(
    {
      name: deps.serverName(),
      title: 'Handover',
      version: deps.serverVersion,
      ...(saysWhoItIs && { icons: [ICON] }),
    },
    {
      ...OPTIONS,
      ...(saysWhoItIs && {
        instructions: instructionsFor(deps.tools.listFor(opener.principal, opener.connection), {
          agent: agent ?? nameOf(opener.principal),
          reachesOthers: reachesOthers(opener.connection, deps),
        }),
      }),
    },
  );
  const serves = (family: string) => !method || method.startsWith(family);
  if (serves('tools/')) handleTools(server, deps, options);
  if (serves('resources/')) handleResources(server, deps, options);
  if (serves('prompts/')) handlePrompts(server, deps, caller);
  if (serves('completion/')) handleCompletion(server, deps, options);
  return server;
}

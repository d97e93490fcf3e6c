/**
 * The MCP door: tools, resources and prompts for assistants, over Streamable HTTP and over connections that
 * speak line by line, in both eras of the protocol.
 *
 * D1. It only translates: the services behind it (services/handoffs, services/configuration) decide what is allowed.
 * D2. Every request takes its caller from the credential. A name inside a message is only compared with it.
 * D3. Every outcome of a tool is JSON in the documented form (docs/api-reference.md), failures included.
 */

import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Log } from '../../observe/log.js';
import type { AgentDirectory } from '../../services/agents/agent-directory.js';
import { BodyBudget } from '../../services/body-budget.js';
import type { ConfigurationService } from '../../services/configuration/types.js';
import type { Connection } from '../../services/connection.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import type { HandoffService } from '../../services/handoffs/types.js';
import type { LargeWork } from '../../services/large/large-work.js';
import type { OperationService } from '../../services/operations/operation-service.js';
import { rateFlaw } from '../../services/rate-flaw.js';
import { EventStreams } from '../http/event-streams.js';
import type { HttpApp } from '../http/http-types.js';
import { CallsUnderWay } from './calls-under-way.js';
import { Subscriptions } from './changes/subscriptions.js';
import { watchLog } from './changes/watch-log.js';
import type { McpDependencies } from './dependencies.js';
import { mcpRoute } from './http/mcp-route.js';
import { NewerEra } from './http/newer-era.js';
import { type LegacyLimits, OlderEra } from './http/older-era.js';
import type { MetadataOptions } from './http/resource-metadata.js';
import { instructionsFor } from './instructions.js';
import { createMessageOpener } from './open-message.js';
import { createCatalogue } from './resources/catalogue.js';
import { type ConnectionStreams, type McpConnection, serveMcpConnection } from './stdio.js';
import type { ToolSet } from './tool.js';
import { createToolTable } from './tool-table.js';

export interface McpDoorOptions {
  readonly deps: ServiceDependencies;
  readonly handoffs: HandoffService;
  /** Is told who comes. */
  readonly directory: Pick<AgentDirectory, 'joined' | 'called'>;
  readonly configuration: ConfigurationService;
  readonly operations: Pick<OperationService, 'read' | 'version'>;
  readonly toolSets: readonly ToolSet[];
  readonly large: LargeWork;
  readonly serverName: () => string;
  readonly log: Log;
  readonly metadata: MetadataOptions;
  readonly legacyLimits?: LegacyLimits;
}

export interface McpDoor {
  /** Adds `/mcp` and its metadata to the HTTP door's app. */
  mount(app: HttpApp): void;
  /** Serves one connection, such as one of the socket in the data folder. */
  serve(streams: ConnectionStreams, principal: Principal, connection: Connection): McpConnection;
  /** Answers the calls that wait, then ends streams, HTTP sessions and connections. */
  close(): Promise<void>;
  /** Bytes of lines that are not whole, on the connections. */
  readonly unfinished: Pick<BodyBudget, 'inAll' | 'most'>;
}

/** On closing, calls that wait are answered at once, and calls that write take no longer than the store does. */
const MAX_SETTLE_MS = 2_000;

export function createMcpDoor(options: McpDoorOptions): McpDoor {
  const closing = new AbortController();
  const mcp = createMcpDependencies(options, closing.signal);
  const newer = new NewerEra(mcp);
  const older = new OlderEra(mcp, options.legacyLimits);
  const connections = new Set<McpConnection>();
  return {
    unfinished: mcp.unfinished,
    mount: (app) =>
      mcpRoute(app, {
        deps: options.deps,
        opener: mcp.opener,
        newer,
        older,
        called: (principal) => options.directory.called(principal),
        metadata: options.metadata,
        closing: closing.signal,
      }),
    serve(streams, principal, connection) {
      const served = serveMcpConnection(mcp, streams, principal, connection);
      const leave = options.directory.joined(principal);
      connections.add(served);
      served.closed
        .then(() => {
          connections.delete(served);
          leave();
        })
        .catch(() => {});
      return served;
    },
    async close() {
      closing.abort();
      await mcp.calls.settled(MAX_SETTLE_MS);
      await Promise.all([
        newer.close(),
        older.close(),
        ...[...connections].map((connection) => connection.close()),
      ]);
    },
  };
}

function createMcpDependencies(options: McpDoorOptions, closing: AbortSignal): McpDependencies {
  const { deps, handoffs, configuration, operations, toolSets, large, serverName, log } = options;
  const tools = createToolTable(toolSets);
  const { engine, listeners, metrics, audit, loop, now, serverVersion } = deps;
  const health = () => ({ ok: engine.stopped === undefined, name: serverName(), version: serverVersion });
  const kinds = createCatalogue({ handoffs, configuration, operations, metrics, health, now });
  return {
    handoffs,
    unfinished: new BodyBudget({
      inAll: fixedLimits.mcpUnfinishedBytes.value,
      ofCaller: fixedLimits.mcpUnfinishedBytesOfCaller.value,
      ofStrangers: 0,
      ofAddress: 0,
    }),
    tools,
    opener: createMessageOpener({ deps, large, tools: tools.large }),
    rate: (principal) => rateFlaw(deps, principal),
    kinds,
    subscriptions: new Subscriptions({ kinds, watch: (onChange) => watchLog(engine, log, onChange) }),
    listeners,
    streams: new EventStreams(),
    log,
    loop,
    audit,
    now,
    serverName,
    serverVersion,
    instructions: instructionsFor(toolSets),
    calls: new CallsUnderWay(),
    closing,
  };
}

/**
 * The MCP door: tools, resources and prompts for assistants, over Streamable HTTP and over connections that
 * speak line by line, in both eras of the protocol.
 *
 * D1. It only translates: the services behind its tools and resources decide what is allowed.
 * D2. Every request takes its caller from the credential. A name inside a message is only compared with it.
 * D3. Every outcome of a tool is JSON in the documented form (docs/api-reference.md), failures included.
 */

import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Log } from '../../observe/log.js';
import type { AgentDirectory } from '../../services/agents/agent-directory.js';
import type { KnownFrom } from '../../services/agents/who-am-i.js';
import type { AnswerRoom } from '../../services/answer-room.js';
import { BodyBudget } from '../../services/body-budget.js';
import type { Connection } from '../../services/connection.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import type { HandoffService } from '../../services/handoffs/types.js';
import type { LargeWork } from '../../services/large/large-work.js';
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
import { SharedLines } from './lines/shared-lines.js';
import { createMessageOpener } from './open-message.js';
import type { PromptSpec } from './prompts/prompts.js';
import type { ResourceKind } from './resources/resource-kind.js';
import { type ConnectionStreams, type McpConnection, serveMcpConnection } from './stdio.js';
import type { ToolSet } from './tool.js';
import { createToolTable } from './tool-table.js';

export interface McpDoorOptions {
  readonly deps: ServiceDependencies;
  readonly handoffs: HandoffService;
  /** Is told who comes. */
  readonly directory: Pick<AgentDirectory, 'joined' | 'called'> & KnownFrom;
  /** What is left for whoever comes next is for callers over HTTP, too. */
  readonly openParking?: boolean;
  readonly toolSets: readonly ToolSet[];
  /** In the order in which they are listed. */
  readonly resources: readonly ResourceKind[];
  readonly prompts: readonly PromptSpec[];
  readonly large: LargeWork;
  readonly serverName: () => string;
  readonly log: Log;
  readonly metadata: Omit<MetadataOptions, 'furtherScopes'>;
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
  /** Bytes of answers that are being made or wait for their clients, on the connections. */
  readonly answers: Pick<AnswerRoom, 'held' | 'most'>;
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
    answers: mcp.lines.room,
    mount: (app) =>
      mcpRoute(app, {
        deps: options.deps,
        mcp,
        newer,
        older,
        called: (principal, connection) => options.directory.called(principal, connection),
        metadata: { ...options.metadata, furtherScopes: furtherScopes(options.toolSets) },
        closing: closing.signal,
      }),
    serve(streams, principal, connection) {
      const served = serveMcpConnection(mcp, streams, principal, connection);
      const leave = options.directory.joined(principal, connection);
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

function furtherScopes(toolSets: readonly ToolSet[]): readonly Scope[] {
  const served = toolSets.some(({ tools }) => tools.some(({ scope }) => scope === Scope.OPERATION_CREATE));
  return served ? [Scope.OPERATION_CREATE] : [];
}

function createMcpDependencies(options: McpDoorOptions, closing: AbortSignal): McpDependencies {
  const { deps, handoffs, toolSets, resources: kinds, prompts, large, serverName, log } = options;
  const tools = createToolTable(toolSets);
  const { engine, listeners, audit, loop, now, serverVersion } = deps;
  return {
    handoffs,
    directory: options.directory,
    openParking: options.openParking ?? false,
    unfinished: new BodyBudget({
      inAll: fixedLimits.mcpUnfinishedBytes.value,
      ofCaller: fixedLimits.mcpUnfinishedBytesOfCaller.value,
      ofStrangers: 0,
      ofAddress: 0,
    }),
    lines: new SharedLines(),
    tools,
    opener: createMessageOpener({ deps, large, tools: tools.large }),
    rate: (principal) => rateFlaw(deps, principal),
    kinds,
    prompts,
    subscriptions: new Subscriptions({ kinds, watch: (onChange) => watchLog(engine, log, onChange) }),
    listeners,
    streams: new EventStreams(),
    log,
    loop,
    audit,
    now,
    serverName,
    serverVersion,
    names: new Set(),
    calls: new CallsUnderWay(),
    closing,
  };
}

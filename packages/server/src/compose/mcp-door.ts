/** The MCP door on this server: its services, and the tool sets that the configuration asks for. */

import type { Configuration } from '../config/configuration.js';
import { createMcpDoor, type McpDoor } from '../doors/mcp/door.js';
import { PROMPTS } from '../doors/mcp/prompts/prompts.js';
import { createCatalogue } from '../doors/mcp/resources/catalogue.js';
import { handoffToolSets } from '../doors/mcp/tools/index.js';
import { operationToolSets } from '../doors/mcp/tools/operations/index.js';
import type { Log } from '../observe/log.js';
import type { AgentDirectory } from '../services/agents/agent-directory.js';
import type { ConfigurationService } from '../services/configuration/types.js';
import type { ServiceDependencies } from '../services/dependencies.js';
import type { HandoffService } from '../services/handoffs/types.js';
import type { LargeWork } from '../services/large/large-work.js';
import type { Operations } from '../services/operations/operations.js';

export interface OpenMcpDoorOptions {
  readonly configuration: Configuration;
  readonly deps: ServiceDependencies;
  readonly handoffs: HandoffService;
  readonly directory: AgentDirectory;
  readonly settings: ConfigurationService;
  readonly operations: Operations;
  readonly large: LargeWork;
  readonly log: Log;
}

export function openMcpDoor(options: OpenMcpDoorOptions): McpDoor {
  const { configuration, deps, handoffs, directory, settings, operations, large, log } = options;
  const sets = [
    ...handoffToolSets({
      handoffs,
      configuration: settings,
      directory,
      toolSets: configuration.mcp.toolSets,
      server: { version: deps.serverVersion, since: deps.now() },
      now: deps.now,
    }),
    ...operationToolSets(operations),
  ];
  const { toolSets, publicBaseUrl } = configuration.mcp;
  const served: readonly string[] = toolSets;
  const { engine, metrics, now, serverVersion } = deps;
  const serverName = () => deps.settingsNow().serverName;
  const issuer = configuration.auth.kind === 'credentials' ? configuration.auth.jwt?.issuer : undefined;
  return createMcpDoor({
    deps,
    handoffs,
    directory,
    openParking: configuration.taking.openParking,
    large,
    toolSets: sets.filter(({ name }) => served.includes(name)),
    resources: createCatalogue({
      handoffs,
      configuration: settings,
      operations: operations.service,
      metrics,
      health: () => ({ ok: engine.stopped === undefined, name: serverName(), version: serverVersion }),
      now,
    }),
    prompts: PROMPTS,
    serverName,
    log,
    metadata: {
      issuers: issuer === undefined ? [] : [issuer],
      ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    },
  });
}

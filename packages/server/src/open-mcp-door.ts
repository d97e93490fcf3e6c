/** The MCP door on this server: its services, and the tool sets that the configuration asks for. */
import { createMcpDoor, type McpDoor } from './doors/mcp/mcp-door.js';
import { handoffToolSet } from './doors/mcp/tools/index.js';
import { operationToolSets } from './doors/mcp/tools/operations/index.js';
import type { Configuration } from './ops/configuration.js';
import type { Log } from './ops/log.js';
import type { ConfigurationDesk } from './pipeline/configuration/types.js';
import type { HandoffDesk } from './pipeline/handoffs/types.js';
import type { Operations } from './pipeline/operations/operations.js';
import type { RuntimeParts } from './pipeline/runtime.js';

export interface OpenMcpDoorOptions {
  readonly settings: Configuration;
  readonly runtime: RuntimeParts;
  readonly desk: HandoffDesk;
  readonly configuration: ConfigurationDesk;
  readonly operations: Operations;
  readonly log: Log;
}

export function openMcpDoor(options: OpenMcpDoorOptions): McpDoor {
  const { settings, runtime, desk, configuration, operations, log } = options;
  const sets = [handoffToolSet({ desk, configuration, now: runtime.now }), ...operationToolSets(operations)];
  const { toolSets, publicBaseUrl } = settings.mcp;
  const issuer = settings.auth.kind === 'credentials' ? settings.auth.jwt?.issuer : undefined;
  return createMcpDoor({
    runtime,
    desk,
    configuration,
    operations: operations.desk,
    toolSets: sets.filter(({ name }) => toolSets.includes(name)),
    serverName: () => runtime.settingsNow().serverName,
    log,
    metadata: {
      issuers: issuer === undefined ? [] : [issuer],
      ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    },
  });
}

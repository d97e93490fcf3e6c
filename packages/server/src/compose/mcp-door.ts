/** The MCP door on this server: its services, and the tool sets that the configuration asks for. */

import type { Configuration } from '../config/configuration.js';
import { createMcpDoor, type McpDoor } from '../doors/mcp/door.js';
import { handoffToolSet } from '../doors/mcp/tools/index.js';
import { operationToolSets } from '../doors/mcp/tools/operations/index.js';
import type { Log } from '../observe/log.js';
import type { ConfigurationDesk } from '../services/configuration/types.js';
import type { RuntimeParts } from '../services/dependencies.js';
import type { HandoffDesk } from '../services/handoffs/types.js';
import type { Operations } from '../services/operations/operations.js';

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

/** The socket door on this server, where there is a data folder and a system that has such sockets. */

import type { McpDoor } from './doors/mcp/mcp-door.js';
import { createSocketDoor, type SocketDoor } from './doors/socket/socket-door.js';
import type { Configuration } from './ops/configuration.js';
import type { Log } from './ops/log.js';
import type { RuntimeParts } from './pipeline/runtime.js';

export interface LocalDoorOptions {
  /** Absent: the store is the caller's, and there is no folder to listen in. */
  readonly configuration: Configuration | undefined;
  readonly parts: RuntimeParts;
  readonly mcp: McpDoor;
  readonly log: Log;
}

export function openLocalDoor({ configuration, parts, mcp, log }: LocalDoorOptions): SocketDoor | undefined {
  if (configuration?.store.kind !== 'sqlite' || process.platform === 'win32') return undefined;
  const door = createSocketDoor({
    folder: configuration.store.folder,
    version: parts.serverVersion,
    log,
    audit: parts.audit,
    mcp: (input, output, who) => mcp.serve({ input, output }, who).closed,
    answer: async () => [],
  });
  return configuration.forAssistants ? door : optional(door, log);
}

/** A server that listens elsewhere, too, does not fail because its file system has no sockets. */
function optional(door: SocketDoor, log: Log): SocketDoor {
  return {
    get connections() {
      return door.connections;
    },
    listen: () => door.listen().catch((error: unknown) => log.warn('socket.not_listening', { error })),
    close: () => door.close(),
  };
}

/** The socket door on this server, where there is a data folder and a system that has such sockets. */

import { randomUUID } from 'node:crypto';
import type { Configuration } from '../config/configuration.js';
import type { McpDoor } from '../doors/mcp/door.js';
import { createSocketDoor, type SocketDoor } from '../doors/socket/door.js';
import type { Webhooks } from '../effects/webhooks/webhooks.js';
import type { Log } from '../observe/log.js';
import type { AgentDirectory } from '../services/agents/agent-directory.js';
import type { ServiceDependencies } from '../services/dependencies.js';
import { answerCapture, answerHook } from '../services/handoffs/hook-visits.js';
import { pendingOffers } from '../services/handoffs/pending-offers.js';
import type { HandoffService } from '../services/handoffs/types.js';

export interface OpenSocketDoorOptions {
  readonly configuration: Configuration;
  /** The data folder is this server's, and so is the socket in it. */
  readonly ownsFolder: boolean;
  readonly deps: ServiceDependencies;
  readonly mcp: McpDoor;
  readonly handoffs: HandoffService;
  readonly directory: AgentDirectory;
  readonly webhooks: Webhooks;
  readonly log: Log;
  /** Somebody who holds the folder's token wants the server to end. */
  readonly onStop?: () => void;
}

export function openSocketDoor(options: OpenSocketDoorOptions): SocketDoor | undefined {
  const { configuration, ownsFolder, deps, mcp, handoffs, directory, webhooks, log, onStop } = options;
  if (!ownsFolder || configuration.store.kind !== 'sqlite' || process.platform === 'win32') return undefined;
  const running = { pid: process.pid, id: randomUUID() };
  const door = createSocketDoor({
    folder: configuration.store.folder,
    version: deps.serverVersion,
    log,
    audit: deps.audit,
    mcp: (input, output, principal, connection) => mcp.serve({ input, output }, principal, connection).closed,
    settings: configuration.settingDigests,
    now: deps.now,
    answer: async (wanted, principal, body) => {
      switch (wanted) {
        case 'inbox':
          return pendingOffers(handoffs, principal);
        case 'hook':
          return answerHook({ handoffs, directory }, principal, body);
        case 'capture':
          return answerCapture({ handoffs, directory }, principal, body);
        case 'dead-webhooks':
          return webhooks.dead;
        case 'server':
          return running;
        case 'stop':
          // After the answer has left.
          if (onStop) setImmediate(onStop);
          return onStop ? running : {};
      }
    },
  });
  return configuration.forAssistants ? door : optional(door, log);
}

/** A server that also listens elsewhere does not fail because its file system has no sockets. */
function optional(door: SocketDoor, log: Log): SocketDoor {
  return {
    get connections() {
      return door.connections;
    },
    listen: () => door.listen().catch((error: unknown) => log.warn('socket.not_listening', { error })),
    close: () => door.close(),
  };
}

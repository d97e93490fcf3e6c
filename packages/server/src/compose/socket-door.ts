/** The socket door on this server, where there is a data folder and a system that has such sockets. */

import { randomUUID } from 'node:crypto';
import type { Store } from '@handover/engine';
import type { Configuration } from '../config/configuration.js';
import { installedAgents } from '../config/installed-agents.js';
import { folderOf } from '../config/read-store.js';
import type { McpDoor } from '../doors/mcp/door.js';
import { createSocketDoor, type SocketDoor } from '../doors/socket/door.js';
import type { Webhooks } from '../effects/webhooks/webhooks.js';
import type { Log } from '../observe/log.js';
import type { AgentDirectory } from '../services/agents/agent-directory.js';
import type { ServiceDependencies } from '../services/dependencies.js';
import { answerLine, takeCapture, takeHook } from '../services/handoffs/hook-visits.js';
import { answerTake } from '../services/handoffs/take/take-visit.js';
import type { HandoffService } from '../services/handoffs/types.js';
import { answerWaiting } from '../services/handoffs/waiting/answer-waiting.js';
import { answerReceipt } from '../services/macp/answer-receipt.js';
import type { DecisionReceipts } from '../services/macp/decision-receipts.js';

export interface OpenSocketDoorOptions {
  readonly configuration: Configuration;
  /** The data folder is this server's, and so is the socket in it. */
  readonly ownsFolder: boolean;
  readonly deps: ServiceDependencies;
  readonly store: Store;
  readonly mcp: McpDoor;
  readonly handoffs: HandoffService;
  readonly directory: AgentDirectory;
  readonly webhooks: Webhooks;
  readonly receipts: DecisionReceipts;
  readonly log: Log;
  /** Somebody who holds the folder's token wants the server to end. */
  readonly onStop?: () => void;
}

export function openSocketDoor(options: OpenSocketDoorOptions): SocketDoor | undefined {
  const {
    configuration,
    ownsFolder,
    deps,
    store,
    mcp,
    handoffs,
    directory,
    webhooks,
    receipts,
    log,
    onStop,
  } = options;
  const folder = folderOf(configuration.store);
  if (!ownsFolder || folder === undefined || process.platform === 'win32') return undefined;
  const hooks = { handoffs, directory, now: deps.now };
  const inboxes = {
    ...{ ...deps, store, taking: configuration.taking },
    installed: () => installedAgents(folder),
  };
  const running = { pid: process.pid, id: randomUUID() };
  const door = createSocketDoor({
    folder,
    version: deps.serverVersion,
    log,
    audit: deps.audit,
    mcp: (input, output, principal, connection) => mcp.serve({ input, output }, principal, connection).closed,
    settings: configuration.settingDigests,
    now: deps.now,
    answer: async (wanted, principal, body) => {
      switch (wanted) {
        case 'waiting':
          return answerWaiting(inboxes, principal, body);
        case 'hook':
          return answerLine(body, (value) => takeHook(hooks, principal, value, { transport: 'stdio' }));
        case 'capture':
          return answerLine(body, (value) => takeCapture(hooks, principal, value, { transport: 'stdio' }));
        case 'take':
          return answerTake({ handoffs, directory, engine: deps.engine }, principal, body);
        case 'receipt':
          return answerLine(body, async (value) => ({ value: await answerReceipt(receipts, value) }));
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

/**
 * The door for assistants and commands of the same user on the same machine: a Unix socket in the data folder.
 *
 * O1. The first line carries the token, what is wanted and who asks; without the right token nothing else is read.
 * O2. The door itself serves nothing. It calls the functions of its options, with the principal that the first line
 *     names (or, for MCP without an agent id, the principal of the assistant's own name).
 * O3. The door listens only while the server holds the folder's lock.
 * O4. Connections, and what they hold of first lines that are not whole, are bounded over the whole door.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Log } from '../../observe/log.js';
import { SparseLines } from '../../observe/sparse-lines.js';
import { BodyBudget } from '../../services/body-budget.js';
import { openLocalToken } from './local-token.js';
import { prepareSocketPlace, type SocketPlace } from './socket-place.js';
import { type SocketDoorOptions, Visit } from './visit.js';

const CONNECTIONS = fixedLimits.localConnections.value;
const OPENING_BYTES = fixedLimits.localOpeningBytesInAll.value;
const MINUTE_MS = 60_000;

export interface SocketDoor {
  listen(): Promise<void>;
  /** How many are connected. */
  readonly connections: number;
  close(): Promise<void>;
}

export function createSocketDoor(options: SocketDoorOptions): SocketDoor {
  const sockets = new Set<Socket>();
  const opening = new BodyBudget({
    inAll: OPENING_BYTES,
    ofCaller: OPENING_BYTES,
    ofStrangers: 0,
    ofAddress: 0,
  });
  let server: Server | undefined;
  let place: SocketPlace | undefined;
  return {
    get connections() {
      return sockets.size;
    },
    async listen() {
      const token = openLocalToken(options.folder);
      place = prepareSocketPlace(options.folder);
      server = createServer((socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        // A peer that goes away is not worth a log line: its socket closes, and that is handled.
        socket.on('error', () => socket.destroy());
        void new Visit(options, token, socket, opening.open({ caller: '' })).serve();
      });
      capConnections(server, options.log);
      await listening(server, place.path);
      place.tighten();
    },
    async close() {
      const closed = server && new Promise<void>((resolve) => server?.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      place?.remove();
    },
  };
}

function capConnections(server: Server, log: Log): void {
  const lines = new SparseLines(MINUTE_MS);
  server.maxConnections = CONNECTIONS;
  server.on('drop', () => {
    const unsaid = lines.take();
    if (unsaid !== undefined)
      log.warn('socket.connections_full', { refused: unsaid + 1, connections: CONNECTIONS });
  });
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

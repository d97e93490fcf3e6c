/** The connections of a grpc-js server, guarded, and what the log and the metrics say about them. */
import type { Server as NetServer } from 'node:net';
import type { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Cidr } from '../../../config/cidr.js';
import type { Log } from '../../../observe/log.js';
import type { Metrics } from '../../../observe/metrics.js';
import { SparseLines } from '../../../observe/sparse-lines.js';
import { Connections } from './connections.js';

type Create = (credentials: ServerCredentials) => NetServer;

const MINUTE_MS = 60_000;

export function watchedConnections(
  metrics: Pick<Metrics, 'rateLimited'>,
  log: Log,
  trustedProxy: Cidr | undefined,
): Connections {
  const lines = new SparseLines(MINUTE_MS);
  return new Connections({
    trustedProxy,
    onCut(reason, address) {
      metrics.rateLimited('grpc_connections');
      const unsaid = lines.take(reason);
      if (unsaid !== undefined)
        log.warn('grpc.connections_cut', { reason, address, connections: unsaid + 1 });
    },
  });
}

/**
 * grpc-js does not offer its HTTP/2 server, but the method that makes one can be replaced. Where it cannot, connections
 * are not counted; a test notices.
 */
export function guardConnections(server: Server, connections: Connections): void {
  const making = server as unknown as { createHttp2Server?: Create };
  const create = making.createHttp2Server?.bind(server);
  if (!create) return;
  making.createHttp2Server = (credentials) => {
    const http2 = create(credentials);
    connections.guard(http2);
    return http2;
  };
}

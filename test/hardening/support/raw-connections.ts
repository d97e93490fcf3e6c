/** Raw gRPC connections of a test file; those of a test are closed after it. */
import { afterEach } from 'vitest';
import { RawGrpc } from './raw-grpc.js';

type Options = Parameters<typeof RawGrpc.open>[1];

export function useRawConnections(port: () => number) {
  const all: RawGrpc[] = [];
  const closeAll = () => {
    for (const connection of all.splice(0)) connection.close();
  };
  afterEach(closeAll);
  return {
    closeAll,
    async open(options?: Options): Promise<RawGrpc> {
      const connection = await RawGrpc.open(port(), options);
      all.push(connection);
      return connection;
    },
  };
}

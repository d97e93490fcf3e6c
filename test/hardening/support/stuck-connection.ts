/** A connection whose far end stops reading the socket: what the server writes piles up on the server's side. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface StuckConnection {
  /** Where a client connects to. */
  readonly port: number;
  /** Stops passing on what the server sends. */
  stick(): void;
  close(): void;
}

export async function stuckConnection(serverPort: number): Promise<StuckConnection> {
  const upstreams: Socket[] = [];
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    upstreams.push(upstream);
    sockets.push(client, upstream);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, upstream]) socket.on('error', () => {});
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    stick: () => {
      for (const upstream of upstreams) upstream.pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

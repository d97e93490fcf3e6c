/** A TCP proxy that a test can cut, to lose a connection without losing the server. */

import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';

export async function startProxy(target: string) {
  const [host = '', port = ''] = target.split(/:(?=\d+$)/);
  const sockets = new Set<Socket>();
  let open = true;
  let muted = false;
  let accepted = 0;
  const server = createServer((inner) => {
    accepted++;
    if (!open) return inner.destroy();
    const outer = dial(Number(port), host);
    for (const [socket, peer] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => peer.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        peer.destroy();
      });
      socket.on('data', (bytes) => {
        if (socket === inner || !muted) peer.write(bytes);
      });
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return {
    address: `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`,
    connections: () => accepted,
    /** Connections that clients have open now. */
    open: () => sockets.size / 2,
    /** Loses what the server says, while it still hears the client, until `mend`. */
    mute() {
      muted = true;
    },
    /** Breaks every connection; new ones are refused until `mend`. */
    cut() {
      open = false;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      open = true;
      muted = false;
    },
    close() {
      this.cut();
      server.close();
    },
  };
}

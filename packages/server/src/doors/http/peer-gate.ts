/**
 * Who may connect to a listener without TLS: this machine, and the proxy that the operator trusts. Everybody else would
 * send credentials in the clear, past the proxy and what it checks.
 *
 * B1. Judged by the address of the connection, when it is made: no byte of a refused peer is parsed.
 * B2. A refused peer gets one sentence and is cut off after a moment, whatever it sends and whether or not it reads.
 * B3. The log has at most one line a minute about it, with the number of those refused since the last one.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../../config/address.js';
import type { Cidr } from '../../config/cidr.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Log } from '../../observe/log.js';
import { minuteLine } from './minute-line.js';
import { rawAnswer } from './raw-answer.js';

const SENTENCE =
  'this port takes plain HTTP only from this machine and from the proxy of HANDOVER_TRUSTED_PROXY; call the proxy instead';
const ANSWER = rawAnswer({ status: 403, reason: 'Forbidden', code: 'FORBIDDEN', message: SENTENCE });

export function isServedInPlaintext(peer: string | undefined, trustedProxy: Cidr | undefined): boolean {
  return peer !== undefined && (isLoopback(peer) || (trustedProxy?.contains(peer) ?? false));
}

/** Puts the gate before everything that the server does with a connection; `served` comes after it. */
export function gatePeers(
  server: Server,
  trustedProxy: Cidr | undefined,
  log: Log,
  served: (socket: Socket) => void,
): void {
  const serve = server.listeners('connection');
  const note = minuteLine((refused, peer: string | undefined) =>
    log.warn('http.peer_refused', { peer, refused, message: SENTENCE }),
  );
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress;
    if (isServedInPlaintext(peer, trustedProxy)) {
      for (const listener of serve) listener.call(server, socket);
      served(socket);
    } else {
      note(peer);
      refuse(socket);
    }
  });
}

/** What the peer sends is dropped unread for a moment: closing at once could take the sentence away with it. */
function refuse(socket: Socket): void {
  const cut = setTimeout(() => socket.destroy(), fixedLimits.refusedPeerMs.value);
  socket.once('close', () => clearTimeout(cut));
  socket.on('error', () => socket.destroy());
  socket.end(ANSWER);
  socket.resume();
}

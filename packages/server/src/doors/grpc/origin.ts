import { addressGroup } from '../../config/address-group.js';
import type { Origin } from '../../services/authenticate.js';

interface Peer {
  /** An address and a port; without an address some other word. */
  getPeer(): string;
}

/** Where a call came in, for audit lines. */
export function originOf(call: Peer): Origin {
  return { door: 'grpc', peer: () => groupOfPeer(call.getPeer()) };
}

/** `127.0.0.1:4711`, `[::1]:4711` or, on Node's side of an IPv6 socket, `::1:4711`. */
export const groupOfPeer = (peer: string): string =>
  addressGroup(peer.replace(/:[0-9]{1,5}$/, '').replace(/^\[|\]$/g, ''));

import { addressGroup } from '../../config/address-group.js';
import type { Origin } from '../../services/authenticate.js';

interface Peer {
  /** An address and a port; without an address some other word. */
  getPeer(): string;
}

/** Where a call came in, for audit lines. */
export function originOf(call: Peer): Origin {
  return { door: 'grpc', peer: () => addressGroup(call.getPeer().replace(/:[0-9]{1,5}$/, '')) };
}

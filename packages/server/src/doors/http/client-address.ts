/**
 * The address from which a request comes. `X-Forwarded-For` is believed from the configured proxy only. From anybody
 * else it shows that the request may have been passed on, so the request does not count as local.
 */
import { isIP } from 'node:net';
import { isLoopback } from '../../config/address.js';
import { addressGroup } from '../../config/address-group.js';
import type { Cidr } from '../../config/cidr.js';
import type { HttpContext } from './http-types.js';

export interface ClientAddress {
  /** Undefined when it cannot be known. */
  readonly address: string | undefined;
  /** The client is on this machine, with no proxy in between. */
  readonly local: boolean;
}

const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

export function clientAddress(c: HttpContext, trustedProxy: Cidr | undefined): ClientAddress {
  const peer = c.env?.incoming?.socket.remoteAddress;
  if (peer === undefined) return { address: undefined, local: false };
  if (trustedProxy?.contains(peer))
    return { address: forwardedFor(c.req.header('x-forwarded-for'), trustedProxy), local: false };
  const passedOn = FORWARDING.some((name) => c.req.header(name) !== undefined);
  return { address: peer, local: isLoopback(peer) && !passedOn };
}

/** Under which name the address of the client counts. */
export function addressGroupOf(c: HttpContext): string | undefined {
  const { address } = clientAddress(c, c.get('trustedProxy'));
  return address === undefined ? undefined : addressGroup(address);
}

/** The last address that is not a proxy's. The client itself may have written the addresses before it. */
function forwardedFor(header: string | undefined, trustedProxy: Cidr): string | undefined {
  const chain = (header ?? '').split(',').map((text) => text.trim());
  const client = chain.findLast((ip) => !trustedProxy.contains(ip));
  return client !== undefined && isIP(client) !== 0 ? client : undefined;
}

/**
 * From where a request comes. `X-Forwarded-For` is believed from the configured proxy only; from anybody else it proves
 * just one thing, that the request may have been passed on, and so it is not taken for a local one.
 */
import { isIP } from 'node:net';
import { isLoopback } from '../../config/address.js';
import type { Cidr } from '../../config/cidr.js';
import type { HttpContext } from './http-types.js';

export interface ClientAddress {
  /** Undefined when it cannot be known. */
  readonly address: string | undefined;
  /** Somebody on this machine, with nothing in between. */
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

/** The last address that the proxies themselves have not: what stands before it, the client may have written. */
function forwardedFor(header: string | undefined, trustedProxy: Cidr): string | undefined {
  const chain = (header ?? '').split(',').map((text) => text.trim());
  const client = chain.findLast((ip) => !trustedProxy.contains(ip));
  return client !== undefined && isIP(client) !== 0 ? client : undefined;
}

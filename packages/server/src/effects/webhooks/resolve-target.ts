/**
 * Looks up the address once, and the connection uses exactly that address. With a second look-up after the check, the
 * name could lead to another machine.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRules, isAllowedAddress } from './public-address.js';

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>;

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** One address that is not allowed is enough to refuse the name. */
export async function resolveTarget(
  url: URL,
  rules: AddressRules,
  resolve: Resolve = systemResolve,
): Promise<PinnedAddress | string> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) === 0 ? await resolve(host).catch(() => []) : [{ address: host }];
  const [first] = found;
  if (!first) return 'the name cannot be resolved';
  if (!found.every(({ address }) => isAllowedAddress(address, rules)))
    return 'the address is not a public one';
  return { address: first.address, family: isIP(first.address) === 6 ? 6 : 4 };
}

import { BlockList, isIP } from 'node:net';

/** A range of addresses. */
export interface Cidr {
  readonly text: string;
  contains(ip: string): boolean;
}

/** Reads `10.0.0.0/8`, `fd00::/8`, or one address. A prefix of 0 bits, which would mean all addresses, is refused. */
export function parseCidr(text: string): Cidr | undefined {
  const [ip = '', digits, ...rest] = text.split('/');
  const family = isIP(ip);
  if (family === 0 || ip.includes('%') || rest.length > 0) return undefined;
  const bits = family === 6 ? 128 : 32;
  const prefix = digits === undefined ? bits : /^[0-9]{1,3}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!(prefix >= 1 && prefix <= bits)) return undefined;
  const range = new BlockList();
  range.addSubnet(ip, prefix, family === 6 ? 'ipv6' : 'ipv4');
  return Object.freeze({
    text,
    contains: (other: string) => isIP(other) !== 0 && range.check(other, isIP(other) === 6 ? 'ipv6' : 'ipv4'),
  });
}

import { BlockList, isIP } from 'node:net';

/** An IP address and a port. Host names are not allowed: a name can later lead to another machine. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly loopback: boolean;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export function isLoopback(ip: string): boolean {
  const family = isIP(ip);
  return family !== 0 && LOOPBACK.check(ip, family === 6 ? 'ipv6' : 'ipv4');
}

/** `127.0.0.1:50051` or `[::1]:50051`. */
export function parseAddress(text: string): Address | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):([0-9]{1,5})$/.exec(text);
  if (match === null) return undefined;
  const [, six, four, digits] = match;
  return addressOf(six ?? four ?? '', Number(digits));
}

/** The name localhost is read as 127.0.0.1; every other name is refused. */
export function addressOf(host: string, port: number): Address | undefined {
  const ip = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(ip) === 0 || ip.includes('%') || port > 65_535) return undefined;
  return Object.freeze({ host: ip, port, loopback: isLoopback(ip) });
}

/** The address as a URL or the ready line writes it. */
export function formatAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

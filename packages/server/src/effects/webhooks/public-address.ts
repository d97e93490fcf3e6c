/**
 * Which addresses a webhook may call: public ones only. It must not call this machine, its networks, its cloud's
 * metadata service or reserved ranges. Otherwise whoever controls a host name could reach inside.
 *
 * An IPv6 address that carries an IPv4 one (mapped, NAT64, 6to4) is judged by the IPv4 address.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '../../config/address.js';

const RESERVED_4 = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  RESERVED_4.addSubnet(network, bits, 'ipv4');

/** Global unicast is 2000::/3; these ranges inside it are not public. */
const RESERVED_6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  RESERVED_6.addSubnet(network, bits, 'ipv6');

export interface AddressRules {
  /** In dev mode the receiver may be a process on this machine. */
  readonly allowLoopback: boolean;
}

export function isAllowedAddress(ip: string, { allowLoopback }: AddressRules): boolean {
  if (allowLoopback && isLoopback(ip)) return true;
  if (isIPv4(ip)) return !RESERVED_4.check(ip, 'ipv4');
  return isIPv6(ip) && !ip.includes('%') && isPublic6(ip, { allowLoopback });
}

function isPublic6(ip: string, rules: AddressRules): boolean {
  const groups = groupsOf(ip);
  const inside = carriedIPv4(groups);
  if (inside !== undefined) return isAllowedAddress(inside, rules);
  const [first = 0] = groups;
  return first >= 0x2000 && first <= 0x3fff && !RESERVED_6.check(ip, 'ipv6');
}

/** The IPv4 address that an IPv6 address carries, if it carries one. */
function carriedIPv4(groups: readonly number[]): string | undefined {
  const at = (index: number) => groups[index] ?? 0;
  const from = (index: number) =>
    [at(index) >> 8, at(index) & 0xff, at(index + 1) >> 8, at(index + 1) & 0xff].join('.');
  const zeros = (upTo: number) => groups.slice(0, upTo).every((group) => group === 0);
  if (zeros(5) && at(5) === 0xffff) return from(6);
  if (zeros(4) && at(4) === 0xffff && at(5) === 0) return from(6);
  if (at(0) === 0x64 && at(1) === 0xff9b && groups.slice(2, 6).every((group) => group === 0)) return from(6);
  if (at(0) === 0x2002) return from(1);
  return undefined;
}

function groupsOf(ip: string): readonly number[] {
  // The URL parser writes every form of an address in one way, dotted tails included.
  const text = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const parse = (part: string | undefined) =>
    part === undefined || part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [parse(head), parse(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

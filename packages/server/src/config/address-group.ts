import { isIP } from 'node:net';

/**
 * Under which name requests from an address are counted. An IPv6 customer has a whole /64 and can change the address
 * with each request, so the /64 counts; an IPv4 address that is written as IPv6 counts as IPv4.
 */
export function addressGroup(address: string): string {
  const [ip = ''] = address.split('%');
  if (isIP(ip) !== 6) return ip;
  const groups = expanded(ip);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups. A URL writes every IPv6 address in one way, without dots. */
function expanded(ip: string): readonly number[] {
  const [head = '', tail = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const [front, back] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const known = [...(front ?? []), ...(back ?? [])].length;
  const zeros = Array<string>(8 - known).fill('0');
  return [...(front ?? []), ...zeros, ...(back ?? [])].map((group) => Number.parseInt(group, 16));
}

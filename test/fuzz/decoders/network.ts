/** Addresses, ranges, names of hosts and origins, forwarded addresses. */
import {
  addressOf,
  formatAddress,
  isLoopback,
  parseAddress,
} from '../../../packages/server/src/config/address.js';
import {
  createAllowList,
  isHostName,
  isOriginPattern,
} from '../../../packages/server/src/config/allow-list.js';
import { parseCidr } from '../../../packages/server/src/config/cidr.js';
import { clientAddress } from '../../../packages/server/src/doors/http/client-address.js';
import { isAllowedAddress } from '../../../packages/server/src/effects/webhooks/public-address.js';
import { decoderTarget } from '../decoder-target.js';
import { mutateText, text } from '../values/texts.js';

const SAMPLES = [
  '127.0.0.1:50051',
  '[::1]:0',
  '::ffff:127.0.0.1',
  '2002:7f00:1::',
  '64:ff9b::7f00:1',
  '10.0.0.0/8',
  'fd00::/8',
  '::1',
  '1.2.3.4',
  'fe80::1%eth0',
  'localhost',
  'a.example:3100',
  'https://a.example:*',
  'http://[::1]:80',
  '0x7f.1',
  '127.1',
  '10.0.0.1, 1.2.3.4, 127.0.0.1',
  '::',
  '::ffff:0:127.0.0.1',
  '2001:db8::1',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:1.2.3.4',
];
const RANGE = parseCidr('10.0.0.0/8');
const LIST = createAllowList(
  ['localhost', '127.0.0.1', '[::1]'],
  ['http://localhost:*', 'https://a.example'],
);

export const network = decoderTarget({
  name: 'network-addresses',
  generate: (random) =>
    random.oneIn(6)
      ? text(random, 300)
      : random.oneIn(5)
        ? random.pick(SAMPLES)
        : mutateText(random, random.pick(SAMPLES)),
  check(input) {
    const given = String(input);
    for (const address of [parseAddress(given), addressOf(given, 80)])
      if (address && parseAddress(formatAddress(address))?.host !== address.host)
        return 'an address is not stable';
    const range = parseCidr(given);
    if (range && !given.includes('/') && !range.contains(given))
      return 'a range of one address does not hold it';
    isHostName(given);
    isOriginPattern(given);
    LIST.host(given);
    LIST.origin(given);
    if (isLoopback(given) && isAllowedAddress(given, { allowLoopback: false }))
      return 'this machine passes for public';
    return forwardedFlaw(given);
  },
});

/** Only the configured proxy is believed, and only addresses count. */
function forwardedFlaw(header: string): string | undefined {
  const from = (peer: string) => {
    const req = { header: (name: string) => (name === 'x-forwarded-for' ? header : undefined) };
    return clientAddress({ req, env: { incoming: { socket: { remoteAddress: peer } } } } as never, RANGE);
  };
  if (from('127.0.0.1').local || from('127.0.0.1').address !== '127.0.0.1')
    return 'a forwarded request counts as local';
  const { address } = from('10.0.0.1');
  return address === undefined || !RANGE?.contains(address) ? undefined : 'the proxy passes for a client';
}

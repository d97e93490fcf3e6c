/** H12: a server behind a proxy is called by somebody who is not the proxy, in plaintext. */
import { IDENTITIES, Token } from '../arena/identities.js';
import type { Attack } from '../attack.js';
import { bearer, requester } from '../wire/http.js';
import { ownAddress } from '../wire/own-address.js';

/** Nobody on this machine. */
const PROXY = { ...IDENTITIES, HANDOVER_TRUSTED_PROXY: '203.0.113.7/32' };

export const trustedProxy: Attack = {
  row: 'H12',
  title: 'callers that are not the trusted proxy',

  async probe({ launch, say }) {
    const { ready, http, said } = await launch({ env: PROXY, args: ['--http-host', '0.0.0.0'] });
    if (!ready) return say(`plaintext on every interface behind the proxy 203.0.113.7: refused: ${said}`);
    const port = new URL(http).port;
    for (const [who, address] of [
      ['a peer on another interface', ownAddress()],
      ['loopback', '127.0.0.1'],
    ] as const) {
      if (address === undefined) say(`${who}: not tried, this machine has none`);
      else {
        const headers = { ...bearer(Token.reader), host: '127.0.0.1' };
        const { code, status } = await requester(address)(`http://${address}:${port}/macp/session`, {
          headers,
        });
        say(`${who} with a credential, GET /macp/session in plaintext: ${status} ${code}`);
      }
    }
  },
};

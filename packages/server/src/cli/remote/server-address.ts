/**
 * The address of a server elsewhere, as `--server` names it: `https://handover.example.org`, with a path where a proxy
 * adds one. Beyond this machine it must be https, because a token travels with every request.
 */
import { isIP } from 'node:net';
import { isLoopback } from '../../config/address.js';
import { wrongUsage } from '../conventions/failure.js';

export interface ServerAddress {
  /** For people: without the path of MCP. */
  readonly shown: string;
  /** Where MCP is spoken. */
  readonly mcp: URL;
  readonly loopback: boolean;
}

const MCP_PATH = '/mcp';
const EXAMPLE = 'Write it like https://handover.example.org';

export function serverAddress(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw wrongUsage('--server is no address of a server', EXAMPLE);
  // The value may hold a secret: it is not repeated.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrongUsage('--server holds more than an address: no user, password, query or fragment', EXAMPLE);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const loopback = host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
  if (url.protocol === 'http:' && !loopback)
    throw wrongUsage(
      `${url.origin} is beyond this machine, where a token must not travel in the clear`,
      'Use its https address',
    );
  const path = url.pathname.replace(/\/+$/, '').replace(/\/mcp$/, '');
  const shown = url.origin + path;
  return { shown, mcp: new URL(shown + MCP_PATH), loopback };
}

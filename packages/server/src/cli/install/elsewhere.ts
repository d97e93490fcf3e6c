/** A server elsewhere, as `install --server` writes it into the files of assistants: never with a token. */
import { namedServer, type ServerFlags } from '../conventions/flags.js';
import { bearerFor } from '../remote/bearer.js';
import type { RemotePlace } from '../remote/post-api.js';
import { serverAddress } from '../remote/server-address.js';
import { tokenPath } from '../remote/token-file.js';

/** What is wrong with it is said before anything is written. */
export function elsewhereNamed(flags: ServerFlags, agent: string | undefined): RemotePlace | undefined {
  const named = namedServer(flags);
  if (!named) return undefined;
  const address = serverAddress(named.server);
  bearerFor(named.token, agent, address);
  return {
    server: address.shown,
    ...(named.token !== undefined && { token: tokenFlag(named.token) }),
    ...(agent !== undefined && { agent }),
  };
}

/** `~` stays as it is, so that a project's file suits everybody; all else is absolute, since nobody knows from where it is started. */
const tokenFlag = (token: string): string => (/^@~(?:\/|$)/.test(token) ? token : `@${tokenPath(token)}`);

export const placeFlags = ({ server, token, agent }: RemotePlace): readonly string[] => [
  ...['--server', server],
  ...(token === undefined ? [] : ['--token', token]),
  ...(agent === undefined ? [] : ['--agent', agent]),
];

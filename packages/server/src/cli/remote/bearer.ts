/** What a server elsewhere is shown: the token of a file, or, by a server in dev mode on this machine, a name. */
import { wrongUsage } from '../conventions/failure.js';
import type { ServerAddress } from './server-address.js';
import { readToken, tokenPath } from './token-file.js';

export interface Bearer {
  /** Read each time, so that a new token needs no restart. */
  readonly bearer: () => string;
  /** What a user whose token is refused should know. */
  readonly tokenRefused: string;
}

/** What is wrong with it is said before anything is sent. */
export const bearerFor = (
  token: string | undefined,
  agent: string | undefined,
  address: ServerAddress,
): Bearer => (token === undefined ? devBearer(agent, address) : fileBearer(token, address));

function fileBearer(token: string, { shown }: ServerAddress): Bearer {
  const path = tokenPath(token);
  readToken(path);
  return {
    bearer: () => readToken(path),
    tokenRefused: `${shown} refuses the token in ${path}; ask its operator for a new one`,
  };
}

/** Servers in dev mode take the name of an agent as a token. They exist on this machine only. */
function devBearer(agent: string | undefined, { shown, loopback }: ServerAddress): Bearer {
  if (!loopback) throw wrongUsage(`${shown} needs a token`, 'Give --token @FILE');
  if (agent === undefined)
    throw wrongUsage(
      `${shown} must know who asks`,
      'Give --token @FILE, or --agent NAME for a server in dev mode',
    );
  if (!/^[\x21-\x7e]+$/.test(agent))
    throw wrongUsage('this name cannot be sent as a token', 'Choose another after --agent, in plain letters');
  return {
    bearer: () => agent,
    tokenRefused: `${shown} takes no name for a token, so it is not in dev mode; give --token @FILE`,
  };
}

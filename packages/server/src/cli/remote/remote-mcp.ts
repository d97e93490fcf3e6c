/** `handover mcp --server URL`: the same pipe, to a server elsewhere. No server on this machine is started or asked. */
import { wrongUsage } from '../conventions/failure.js';
import { RemoteJoin } from './join-remote.js';
import type { Headers } from './requests.js';
import { type ServerAddress, serverAddress } from './server-address.js';
import { readToken, tokenPath } from './token-file.js';

export interface RemoteFlags {
  readonly server: string;
  readonly token: string | undefined;
  readonly agent: string | undefined;
}

export interface RemoteServer {
  readonly shown: string;
  readonly join: RemoteJoin['join'];
}

/** What is wrong with the flags is said before anything is sent. */
export function remoteServer(flags: RemoteFlags, headers: () => Headers): RemoteServer {
  const address = serverAddress(flags.server);
  const join = new RemoteJoin({ address, headers, ...bearerOf(flags, address) });
  return { shown: address.shown, join: () => join.join() };
}

interface Bearer {
  readonly bearer: () => string;
  readonly tokenRefused: string;
}

function bearerOf({ token, agent }: RemoteFlags, { shown, loopback }: ServerAddress): Bearer {
  if (token !== undefined) {
    const path = tokenPath(token);
    readToken(path);
    return {
      bearer: () => readToken(path),
      tokenRefused: `${shown} refuses the token in ${path}; ask its operator for a new one`,
    };
  }
  if (!loopback || agent === undefined)
    throw wrongUsage(
      `${shown} needs to know who asks`,
      loopback ? 'Give --token @FILE, or --agent NAME for a server in dev mode' : 'Give --token @FILE',
    );
  if (!/^[\x21-\x7e]+$/.test(agent))
    throw wrongUsage(
      `a server in dev mode cannot take ${agent} as a name over HTTP`,
      'Choose a name of plain letters',
    );
  return {
    bearer: () => agent,
    tokenRefused: `${shown} does not take the name ${agent} for a token, so it is not in dev mode; give --token @FILE`,
  };
}

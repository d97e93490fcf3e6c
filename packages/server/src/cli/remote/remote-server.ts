/** A server elsewhere, as the flags of `handover mcp` name it. No server on this machine is started or asked. */
import { STDIO_TOOL_SETS } from '../../auth/tool-sets.js';
import { wrongUsage } from '../conventions/failure.js';
import type { Joining } from '../local-server.js';
import { connectionHeaders } from './connection-headers.js';
import { RemoteJoin } from './join-remote.js';
import { type ServerAddress, serverAddress } from './server-address.js';
import { readToken, tokenPath } from './token-file.js';

export interface RemoteFlags {
  readonly server: string;
  readonly token: string | undefined;
  /** Asked for at each join: the folder may stand at another commit then. */
  readonly joining: () => Joining;
}

export interface RemoteServer {
  /** For people. */
  readonly shown: string;
  readonly join: RemoteJoin['join'];
}

/** What is wrong with the flags is said before anything is sent. */
export function remoteServer({ server, token, joining }: RemoteFlags): RemoteServer {
  const address = serverAddress(server);
  const { agent, toolsets = STDIO_TOOL_SETS } = joining();
  address.mcp.search = `toolsets=${[...toolsets].join(',')}`;
  const bearer = token === undefined ? devBearer(agent, address) : fileBearer(token, address);
  const remote = new RemoteJoin({ address, headers: () => connectionHeaders(joining()), ...bearer });
  return { shown: address.shown, join: () => remote.join() };
}

interface Bearer {
  readonly bearer: () => string;
  readonly tokenRefused: string;
}

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

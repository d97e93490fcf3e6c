/** A server elsewhere, as the flags of `handover mcp` name it. No server on this machine is started or asked. */
import { STDIO_TOOL_SETS } from '../../auth/tool-sets.js';
import type { Joining } from '../local-server.js';
import { bearerFor } from './bearer.js';
import { connectionHeaders } from './connection-headers.js';
import { RemoteJoin } from './join-remote.js';
import { serverAddress } from './server-address.js';

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
  const bearer = bearerFor(token, agent, address);
  const remote = new RemoteJoin({ address, headers: () => connectionHeaders(joining()), ...bearer });
  return { shown: address.shown, join: () => remote.join() };
}

/** The caller of an HTTP request and how it is connected, carried through the SDK beside the message. */
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../../services/connection.js';
import type { Exchange } from './exchange.js';

/** The SDK's type for a caller has a token field. It stays empty: the token is not passed on after authentication. */
export function authInfoOf({ principal, connection }: Pick<Exchange, 'principal' | 'connection'>): AuthInfo {
  return {
    token: '',
    clientId: principal.agent,
    scopes: [...principal.scopes],
    extra: { principal, connection },
  };
}

export function principalOf({ http }: ServerContext): Principal {
  return principalIn(http?.authInfo);
}

export function connectionOf({ http }: ServerContext): Connection {
  return connectionIn(http?.authInfo);
}

export function connectionIn(authInfo: AuthInfo | undefined): Connection {
  const connection = authInfo?.extra?.connection as Connection | undefined;
  if (!connection) throw new Error('a request without a connection passed the gate');
  return connection;
}

export function principalIn(authInfo: AuthInfo | undefined): Principal {
  const principal = authInfo?.extra?.principal as Principal | undefined;
  if (!principal) throw new Error('a request without a caller passed the gate');
  return principal;
}

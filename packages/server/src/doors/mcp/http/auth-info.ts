/** The caller of an HTTP request, carried through the SDK beside the message. */
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '../../../auth/principal.js';

/** The SDK's type for a caller has a token field. It stays empty: the token is not passed on after authentication. */
export function authInfoOf(principal: Principal): AuthInfo {
  return { token: '', clientId: principal.agent, scopes: [...principal.scopes], extra: { principal } };
}

export function principalOf({ http }: ServerContext): Principal {
  return principalIn(http?.authInfo);
}

export function principalIn(authInfo: AuthInfo | undefined): Principal {
  const principal = authInfo?.extra?.principal as Principal | undefined;
  if (!principal) throw new Error('a request without a caller passed the gate');
  return principal;
}

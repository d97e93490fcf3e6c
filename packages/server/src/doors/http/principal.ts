/** Who is asking. In dev mode a request without any credential is the default agent. */
import type { TLSSocket } from 'node:tls';
import { authenticateHttp } from '../../auth/authenticator.js';
import { readClientCertificate } from '../../auth/client-certificate.js';
import type { Authenticator, Credentials, Principal } from '../../auth/principal.js';
import { type Authenticated, authenticate, type Origin } from '../../services/authenticate.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import { addressGroupOf } from './client-address.js';
import type { HttpContext } from './http-types.js';

/** Where a request came in, for audit lines. */
export function originOf(c: HttpContext): Origin {
  return { door: 'http', peer: () => addressGroupOf(c) };
}

export function credentialsOf(c: HttpContext): Credentials {
  const authorization = c.req.header('authorization');
  const macpToken = c.req.header('x-macp-token');
  const clientCertificate = certificateOf(c);
  return {
    ...(authorization !== undefined && { authorization }),
    ...(macpToken !== undefined && { macpToken }),
    ...(clientCertificate !== undefined && { clientCertificate }),
  };
}

/**
 * The caller, without a line in the security log when there is none: for doors that need to know it before they read a
 * body, and judge the credential later, in the order of the protocol.
 */
export async function knownCaller(deps: ServiceDependencies, c: HttpContext): Promise<Principal | undefined> {
  const outcome = await authenticateHttp(deps.authenticator, credentialsOf(c));
  return outcome.ok ? outcome.principal : undefined;
}

/** `resource`: at a door whose address can be the audience of a token. */
export function authenticateRequest(
  deps: ServiceDependencies,
  c: HttpContext,
  resource?: string,
): Authenticated | Promise<Authenticated> {
  const credentials = { ...credentialsOf(c), ...(resource !== undefined && { resource }) };
  return authenticate(byHttp(deps), credentials, originOf(c));
}

/** In dev mode a request without any credential is the default agent. */
function byHttp(deps: ServiceDependencies): ServiceDependencies {
  const authenticator: Authenticator = {
    name: deps.authenticator.name,
    authenticate: (credentials) => authenticateHttp(deps.authenticator, credentials),
  };
  return { ...deps, authenticator };
}

/** For the binding of the protocol, where a token comes as a bearer only. A certificate of the connection counts, too. */
export function authenticateBearer(
  deps: ServiceDependencies,
  c: HttpContext,
): Authenticated | Promise<Authenticated> {
  const { macpToken: _, ...credentials } = credentialsOf(c);
  return authenticate(byHttp(deps), credentials, originOf(c));
}

/** Only a certificate that TLS has verified counts. */
function certificateOf(c: HttpContext) {
  const socket = c.env?.incoming?.socket as TLSSocket | undefined;
  if (socket?.encrypted !== true || !socket.authorized) return undefined;
  return readClientCertificate(socket.getPeerCertificate());
}

/**
 * The chain from credential to principal (docs/spec/macp.md 6.1).
 *
 * A1. Deny by default: a credential that no configured resolver owns is refused.
 * A2. `authorization` wins over `x-macp-token`, which wins over the client certificate. A credential that is present
 *     and wrong is never passed over in favour of a weaker one.
 * A3. A bearer token with a dot is a JWT, one without a dot is a static token. The resolver that owns the token decides
 *     alone.
 * A4. `x-macp-token` is for static tokens only.
 * A5. Dev mode has no other resolver, and the configuration allows it on loopback only.
 */
import { AGENT_NAME_RULE, isAgentName } from './agent-name.js';
import { senderOf } from './client-certificate.js';
import type { JwtVerifier } from './jwt.js';
import type { Authentication, Authenticator, Credentials, Principal } from './principal.js';
import { ALL_SCOPES, DEFAULT_SCOPES } from './scopes.js';
import type { StaticTokens } from './static-tokens.js';

export interface Resolvers {
  readonly staticTokens?: StaticTokens;
  readonly jwt?: JwtVerifier;
  /** Accept the name in a verified client certificate when no token is sent. */
  readonly mtls?: boolean;
}

/** Whoever has set up no static tokens is not to hear of them. */
const NO_JWT = 'the token is not valid';

/** Case-sensitive, as existing clients and servers have it. */
const BEARER = 'Bearer ';

export function createAuthenticator(resolvers: Resolvers): Authenticator {
  const { staticTokens, jwt, mtls = false } = resolvers;
  const name = [staticTokens && 'static', jwt && 'jwt', mtls && 'mtls'].filter(Boolean).join('+');
  const byStaticToken = (token: string) => fromStatic(staticTokens, token);
  return {
    name: name === '' ? 'none' : name,
    authenticate({ authorization, macpToken, clientCertificate, resource }) {
      if (authorization !== undefined) {
        const token = bearerOf(authorization);
        if (token === undefined)
          return refuse('the authorization header must be the word Bearer, a space and a token');
        if (!token.includes('.')) return staticTokens || !jwt ? byStaticToken(token) : refuse(NO_JWT);
        return (
          jwt?.verify(token, resource) ??
          refuse('the token looks like a JWT, and no JWT issuer is configured')
        );
      }
      if (macpToken !== undefined) return byStaticToken(macpToken);
      if (mtls && clientCertificate !== undefined) {
        const sender = senderOf(clientCertificate);
        return sender.ok ? { ok: true, principal: certificatePrincipal(sender.name) } : sender;
      }
      return refuse('no credentials were sent');
    },
  };
}

const DEV_MARK = 'dev';

/** Any bearer value V is the agent V. */
export function createDevAuthenticator(options: { readonly defaultAgent: string }): Authenticator {
  return {
    name: 'dev',
    anonymous: { ...devPrincipal(options.defaultAgent), nameFrom: 'nobody', unnamed: { mark: DEV_MARK } },
    authenticate({ authorization }) {
      const agent = bearerOf(authorization ?? '');
      if (agent === undefined)
        return refuse('dev mode: send the word Bearer, a space and the name of the agent');
      if (!isAgentName(agent)) return refuse(`dev mode: the name of the agent must be ${AGENT_NAME_RULE}`);
      return { ok: true, principal: { ...devPrincipal(agent), nameFrom: 'bearer' } };
    },
  };
}

/**
 * For the HTTP and MCP doors: as `authenticate`, but in dev mode a request without any credential is the default agent.
 */
export function authenticateHttp(
  authenticator: Authenticator,
  credentials: Credentials,
): Authentication | Promise<Authentication> {
  const { authorization, macpToken } = credentials;
  const { anonymous } = authenticator;
  const bare = authorization === undefined && macpToken === undefined;
  return bare && anonymous !== undefined
    ? { ok: true, principal: anonymous }
    : authenticator.authenticate(credentials);
}

function fromStatic(tokens: StaticTokens | undefined, token: string): Authentication {
  if (tokens === undefined) return refuse('no static tokens are configured');
  const principal = tokens.find(token);
  return principal === undefined ? refuse('the token is not known') : { ok: true, principal };
}

function bearerOf(authorization: string): string | undefined {
  const token = authorization.startsWith(BEARER) ? authorization.slice(BEARER.length) : '';
  return token === '' ? undefined : token;
}

function devPrincipal(agent: string): Principal {
  return {
    tenant: 'default',
    agent,
    canStartSessions: true,
    canManageModeRegistry: true,
    isObserver: false,
    scopes: ALL_SCOPES,
    isAssumed: true,
  };
}

/** A certificate names no rights, so its holder gets those of a token that names none. */
function certificatePrincipal(agent: string): Principal {
  return {
    tenant: 'default',
    agent,
    canStartSessions: true,
    canManageModeRegistry: false,
    isObserver: false,
    scopes: DEFAULT_SCOPES,
  };
}

function refuse(message: string): Authentication {
  return { ok: false, message };
}

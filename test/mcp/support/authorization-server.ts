/**
 * An OAuth authorization server on loopback: metadata, registration of clients, codes with PKCE, tokens as JWTs for the
 * resource that was asked for. Whoever is sent to it has agreed at once.
 */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AuthorizationServer {
  readonly issuer: string;
  /** Settings of a server that takes its tokens. */
  readonly env: Readonly<Record<string, string>>;
  /** The scopes of each request for a code. */
  readonly asked: string[];
  token(claims: { readonly aud: string; readonly scope: string }): Promise<string>;
  close(): Promise<void>;
}

type Asked = Readonly<Record<'redirect_uri' | 'code_challenge' | 'resource' | 'scope', string>>;

export async function openAuthorizationServer(): Promise<AuthorizationServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' };
  const asked: string[] = [];
  const codes = new Map<string, Asked>();
  let issuer = '';
  const token = async (claims: { aud: string; scope: string }) => {
    const iat = Math.floor(Date.now() / 1_000);
    const all = { ...claims, iss: issuer, sub: 'ann', iat, exp: iat + 300 };
    const signed = [{ alg: 'ES256', kid: 'k' }, all]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };
  const routes: Record<string, (url: URL, body: string) => unknown> = {
    '/.well-known/oauth-authorization-server': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    }),
    '/register': (_, body) => ({ ...JSON.parse(body), client_id: 'a-client' }),
    '/jwks': () => ({ keys: [key] }),
    '/authorize': ({ searchParams }) => {
      const request = Object.fromEntries(searchParams) as Asked;
      asked.push(request.scope);
      const code = randomUUID();
      codes.set(code, request);
      return new URL(`${request.redirect_uri}?code=${code}`);
    },
    '/token': async (_, body) => {
      const { code = '', code_verifier: verifier = '' } = Object.fromEntries(new URLSearchParams(body));
      const request = codes.get(code);
      codes.delete(code);
      const proof = createHash('sha256').update(verifier).digest('base64url');
      if (request?.code_challenge !== proof) return undefined;
      const { resource, scope } = request;
      const access = await token({ aud: resource, scope });
      return { access_token: access, token_type: 'Bearer', expires_in: 300, scope };
    },
  };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuer);
    const answer = await routes[url.pathname]?.(url, await text(request));
    if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
    else if (answer === undefined) response.writeHead(400).end('{"error":"invalid_request"}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    env: { MACP_AUTH_ISSUER: issuer, MACP_AUTH_JWKS_URL: `${issuer}/jwks` },
    asked,
    token,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

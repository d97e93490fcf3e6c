/** The metadata that tells a refused client how to get a token (RFC 9728), and the refusal that points to it. */
import type { Rejection } from '@handover/core';
import { CLIENT_SCOPES, type Scope } from '../../../auth/scopes.js';
import type { HttpApp, HttpContext } from '../../http/http-types.js';
import { MCP_PATH } from './paths.js';

export interface MetadataOptions {
  /** Issuers whose tokens are accepted. If there are none, the operator gives out tokens. */
  readonly issuers: readonly string[];
  /** The URL under which clients reach the server. Without it, the host of the request, which the guard has checked. */
  readonly publicBaseUrl?: string;
  /** Of the tools that are served, those that a client may ask for when a call needs them. */
  readonly furtherScopes: readonly Scope[];
}

const METADATA_PATH = '/.well-known/oauth-protected-resource';

export function metadataRoutes(app: HttpApp, options: MetadataOptions): void {
  for (const path of [METADATA_PATH, METADATA_PATH + MCP_PATH])
    app.get(path, (c) =>
      c.json({
        resource: resourceOf(c, options),
        ...(options.issuers.length > 0 && { authorization_servers: options.issuers }),
        scopes_supported: [...CLIENT_SCOPES, ...options.furtherScopes],
        bearer_methods_supported: ['header'],
        resource_name: 'Handover',
      }),
    );
}

export function unauthorized(c: HttpContext, { message }: Rejection, options: MetadataOptions): Response {
  const invalid = c.req.header('authorization') !== undefined;
  challenge(c, options, invalid ? 'invalid_token' : undefined, CLIENT_SCOPES);
  return c.json({ error: invalid ? 'invalid_token' : 'unauthorized', error_description: message }, 401);
}

/** Tells a client what is wrong with its token, for which scopes to ask, and where. */
export function challenge(
  c: HttpContext,
  options: MetadataOptions,
  error: 'invalid_token' | 'insufficient_scope' | undefined,
  scopes: readonly string[],
): void {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `scope="${scopes.join(' ')}"`,
    `resource_metadata="${baseOf(c, options)}${METADATA_PATH}${MCP_PATH}"`,
  ];
  c.header('WWW-Authenticate', `Bearer ${parts.join(', ')}`);
}

/** For which resource clients are told to get a token. */
export function resourceOf(c: HttpContext, options: Pick<MetadataOptions, 'publicBaseUrl'>): string {
  return baseOf(c, options) + MCP_PATH;
}

function baseOf(c: HttpContext, { publicBaseUrl }: Pick<MetadataOptions, 'publicBaseUrl'>): string {
  return publicBaseUrl ?? new URL(c.req.url).origin;
}

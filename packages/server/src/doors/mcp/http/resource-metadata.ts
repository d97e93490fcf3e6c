/** The metadata that tells a refused client how to get a token (RFC 9728), and the refusal that points to it. */
import type { Rejection } from '@handover/core';
import { ALL_SCOPES } from '../../../auth/scopes.js';
import type { HttpApp, HttpContext } from '../../http/http-types.js';
import { MCP_PATH } from './paths.js';

export interface MetadataOptions {
  /** Issuers whose tokens are accepted. If there are none, the operator gives out tokens. */
  readonly issuers: readonly string[];
  /** The URL under which clients reach the server. Without it, the host of the request, which the guard has checked. */
  readonly publicBaseUrl?: string;
}

const METADATA_PATH = '/.well-known/oauth-protected-resource';

export function metadataRoutes(app: HttpApp, options: MetadataOptions): void {
  for (const path of [METADATA_PATH, METADATA_PATH + MCP_PATH])
    app.get(path, (c) =>
      c.json({
        resource: baseOf(c, options) + MCP_PATH,
        ...(options.issuers.length > 0 && { authorization_servers: options.issuers }),
        scopes_supported: [...ALL_SCOPES],
        bearer_methods_supported: ['header'],
        resource_name: 'Handover',
      }),
    );
}

export function unauthorized(c: HttpContext, { message }: Rejection, options: MetadataOptions): Response {
  const invalid = c.req.header('authorization') !== undefined;
  const challenge = [
    ...(invalid ? ['error="invalid_token"'] : []),
    `resource_metadata="${baseOf(c, options)}${METADATA_PATH}${MCP_PATH}"`,
  ];
  c.header('WWW-Authenticate', `Bearer ${challenge.join(', ')}`);
  return c.json({ error: invalid ? 'invalid_token' : 'unauthorized', error_description: message }, 401);
}

function baseOf(c: HttpContext, { publicBaseUrl }: MetadataOptions): string {
  return publicBaseUrl ?? new URL(c.req.url).origin;
}

/**
 * `/mcp` on the HTTP door, behind its guards: finds out who is asking, what is asked, and in which era.
 *
 * P1. A request without a known caller gets 401 before a byte of the body is read.
 * P2. A body is bounded before it is kept, parsed once, and given to the SDK as it is.
 * P3. The SDK decides to which era a POST belongs. GET and DELETE belong to the older era.
 */
import type { Codec } from '@handover/core';
import { isLegacyRequest } from '@modelcontextprotocol/server';
import type { ServiceDependencies } from '../../../services/dependencies.js';
import { readBody } from '../../http/body.js';
import type { HttpApp, HttpContext } from '../../http/http-types.js';
import { jsonDepth } from '../../http/json-depth.js';
import { authenticateRequest } from '../../http/principal.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';
import type { NewerEra } from './newer-era.js';
import type { OlderEra } from './older-era.js';
import { MCP_PATH } from './paths.js';
import { type MetadataOptions, metadataRoutes, unauthorized } from './resource-metadata.js';
import { isRpcMessage } from './rpc-message.js';

export interface McpRouteOptions {
  readonly deps: ServiceDependencies;
  readonly newer: NewerEra;
  readonly older: OlderEra;
  readonly metadata: MetadataOptions;
  readonly closing: AbortSignal;
}

/** An operation may have 10 MiB; the rest is for the message around it. */
export const MAX_BODY_BYTES = 11 * 1_048_576;
/** Arguments have smaller limits, with better answers. This one only stops absurd nesting. */
const MAX_DEPTH = 1_000;
const METHODS = 'GET, POST, DELETE';

export function mcpRoute(app: HttpApp, options: McpRouteOptions): void {
  metadataRoutes(app, options.metadata);
  app.on(['GET', 'POST', 'DELETE'], MCP_PATH, (c) => answer(c, options));
  app.all(MCP_PATH, (c) => {
    c.header('Allow', METHODS);
    return c.json({ error: `use ${METHODS}` }, 405);
  });
}

async function answer(
  c: HttpContext,
  { deps, newer, older, metadata, closing }: McpRouteOptions,
): Promise<Response> {
  if (closing.aborted) {
    c.header('Retry-After', '1');
    return c.json({ error: 'the server is shutting down' }, 503);
  }
  const known = await authenticateRequest(deps, c);
  if ('rejection' in known) return unauthorized(c, known.rejection, metadata);
  const { value: principal } = known;
  const request = c.req.raw;
  const disconnect = () => void c.env?.outgoing?.destroy();
  if (c.req.method !== 'POST') return older.handle({ request, message: undefined, principal, disconnect });
  const body = await readMessage(c, deps.codec);
  if ('refusal' in body) return body.refusal;
  const { value } = body;
  if (await isLegacyRequest(request, value))
    return older.handle({ request, message: value, principal, disconnect });
  return isRpcMessage(value)
    ? newer.handle({ request, message: value, principal, disconnect })
    : rpcError(400, RpcCode.Invalid, 'Invalid Request: one JSON-RPC message is expected');
}

async function readMessage(
  c: HttpContext,
  codec: Codec,
): Promise<{ readonly value: unknown } | { readonly refusal: Response }> {
  const body = await readBody(c, MAX_BODY_BYTES);
  if ('rejection' in body) return { refusal: rpcError(413, RpcCode.Server, body.rejection.message) };
  const text = codec.text(body.value);
  if (text === undefined)
    return { refusal: rpcError(400, RpcCode.Parse, 'Parse error: the body is not UTF-8') };
  if (jsonDepth(text, MAX_DEPTH) > MAX_DEPTH)
    return { refusal: rpcError(400, RpcCode.Invalid, `Invalid Request: nested more than ${MAX_DEPTH} deep`) };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { refusal: rpcError(400, RpcCode.Parse, 'Parse error: the body is not JSON') };
  }
}

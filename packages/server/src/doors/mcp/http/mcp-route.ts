/**
 * `/mcp` on the HTTP door, behind its guards: finds out who is asking, what is asked, and in which era.
 *
 * P1. A request without a known caller gets 401 before a byte of the body is read.
 * P2. A body is bounded before it is kept, opened once (open-message.ts), and the message given to the SDK.
 * P3. A JWT whose scopes do not suffice is refused with 403 before an answer begins (missing-scope.ts).
 * P4. The SDK decides to which era a POST belongs. GET and DELETE belong to the older era.
 */
import { isLegacyRequest } from '@modelcontextprotocol/server';
import { callerKey } from '../../../auth/caller-key.js';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { scanJson } from '../../../platform/json/json-scan.js';
import type { Connection } from '../../../services/connection.js';
import type { ServiceDependencies } from '../../../services/dependencies.js';
import { readBody } from '../../http/body.js';
import type { HttpApp, HttpContext } from '../../http/http-types.js';
import { authenticateRequest } from '../../http/principal.js';
import { McpErrorCode } from '../../status-table.js';
import type { McpDependencies } from '../dependencies.js';
import { scopeFailure } from '../errors.js';
import { endsOf, idIn } from '../message-id.js';
import {
  MAX_MESSAGE_BYTES,
  MESSAGE_LIMITS,
  type MessageOpener,
  type MessageRefusal,
  type Opened,
} from '../open-message.js';
import { refusal } from '../refusal.js';
import { agentFlaw } from './claimed-agent.js';
import type { Exchange } from './exchange.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';
import { type MissingScope, missingScope } from './missing-scope.js';
import type { NewerEra } from './newer-era.js';
import type { OlderEra } from './older-era.js';
import { MCP_PATH } from './paths.js';
import { readConnection } from './read-connection.js';
import {
  challenge,
  type MetadataOptions,
  metadataRoutes,
  resourceOf,
  unauthorized,
} from './resource-metadata.js';
import { isRpcMessage, type RpcMessage } from './rpc-message.js';

export interface McpRouteOptions {
  readonly deps: ServiceDependencies;
  readonly mcp: McpDependencies;
  readonly newer: NewerEra;
  readonly older: OlderEra;
  readonly metadata: MetadataOptions;
  /** Is told of every request. */
  readonly called: (principal: Principal, connection: Connection) => void;
  readonly closing: AbortSignal;
}

const MAX_BATCH = fixedLimits.mcpBatch.value;
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
  { deps, mcp, newer, older, metadata, called, closing }: McpRouteOptions,
): Promise<Response> {
  if (closing.aborted) {
    c.header('Retry-After', '1');
    return c.json({ error: 'the server is shutting down' }, 503);
  }
  const known = await authenticateRequest(deps, c, resourceOf(c, metadata));
  if ('rejection' in known) return unauthorized(c, known.rejection, metadata);
  const { value: principal } = known;
  const request = c.req.raw;
  const disconnect = () => void c.env?.outgoing?.destroy();
  const flaw = agentFlaw(request, principal);
  if (flaw !== undefined) return rpcError(403, RpcCode.Server, flaw);
  const connection = readConnection(request, deps.now());
  if (typeof connection === 'string') return rpcError(400, RpcCode.Invalid, connection);
  called(principal, connection);
  const asking = { request, principal, connection, disconnect };
  if (c.req.method !== 'POST') return older.handle({ ...asking, message: undefined });
  const opened = await openBody(c, mcp.opener, principal);
  if ('refusal' in opened) return refusalAnswer(opened.refusal);
  const { message } = opened;
  if (Array.isArray(message) && message.length > MAX_BATCH)
    return rpcError(413, RpcCode.Server, `a batch has at most ${MAX_BATCH} messages`);
  const missing = isRpcMessage(message) ? missingScope(mcp, message, principal) : undefined;
  if (missing && isRpcMessage(message)) return insufficientScope(c, mcp, metadata, asking, message, missing);
  if (await isLegacyRequest(request, message)) return older.handle({ ...asking, message });
  return isRpcMessage(message)
    ? newer.handle({ ...asking, message })
    : rpcError(400, RpcCode.Invalid, 'Invalid Request: one JSON-RPC message is expected');
}

function insufficientScope(
  c: HttpContext,
  mcp: McpDependencies,
  metadata: MetadataOptions,
  { principal, connection }: Pick<Exchange, 'principal' | 'connection'>,
  { id }: RpcMessage,
  { scope, action }: MissingScope,
): Response {
  const { code, message, data } = refusal(mcp, scopeFailure(scope, connection));
  mcp.audit.authorizationFailed({ actor: principal, action, code: McpErrorCode.FORBIDDEN });
  challenge(c, metadata, 'insufficient_scope', [...principal.scopes, scope]);
  return c.json({ jsonrpc: '2.0', error: { code, message, data }, id: id ?? null }, 403);
}

async function openBody(c: HttpContext, opener: MessageOpener, principal: Principal): Promise<Opened> {
  const caller = callerKey(principal);
  const body = await readBody(c, { bytes: MAX_MESSAGE_BYTES, caller, json: MESSAGE_LIMITS });
  if ('refusal' in body) {
    const { status, message } = body.refusal;
    if (status === 503) return { refusal: { status, code: RpcCode.Server, message, retryAfterMs: RETRY_MS } };
    const isInvalid = status === 400;
    return {
      refusal: {
        status,
        code: isInvalid ? RpcCode.Invalid : RpcCode.Server,
        message: isInvalid ? `Invalid Request: ${message}` : message,
      },
    };
  }
  const { bytes, scan = scanJson(bytes, MESSAGE_LIMITS) } = body;
  const ends = endsOf(bytes);
  const opened = await opener.open(principal, bytes, scan);
  if (!('refusal' in opened) || opened.refusal.code !== RpcCode.Params) return opened;
  // A request whose arguments are wrong is answered like one: clients show the sentence.
  const id = idIn(...ends);
  return id === undefined ? opened : { refusal: { ...opened.refusal, status: 200, id } };
}

function refusalAnswer({ status, code, message, retryAfterMs, id }: MessageRefusal): Response {
  const response = rpcError(status, code, message, id);
  if (retryAfterMs !== undefined)
    response.headers.set('Retry-After', String(Math.ceil(retryAfterMs / 1_000)));
  return response;
}

const RETRY_MS = 1_000;

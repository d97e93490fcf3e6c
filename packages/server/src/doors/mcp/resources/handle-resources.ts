import { type Rejection, RejectionCode, reject } from '@handover/core';
import {
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { McpDependencies } from '../dependencies.js';
import { failureOf, scopeFailure } from '../errors.js';
import { logFault } from '../log-fault.js';
import type { McpServerOptions } from '../mcp-server.js';
import { refusal } from '../refusal.js';
import { refuseCursor } from '../refuse-cursor.js';
import { createRequestId } from '../request-id.js';
import { admittedCaller } from '../request-rate.js';
import type { ToolCall } from '../tool.js';
import { locate } from './address.js';
import { listResources, listTemplates } from './list.js';
import { JSON_TYPE } from './resource-kind.js';

export function handleResources(server: Server, deps: McpDependencies, options: McpServerOptions): void {
  const { kinds, handoffs, subscriptions } = deps;
  const { subscriptionOf, era } = options;
  const caller = admittedCaller(deps, options.caller);
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    refuseCursor(params);
    return { resources: await listResources(kinds, handoffs, caller(context)) };
  });
  server.setRequestHandler('resources/templates/list', ({ params }, context) => {
    caller(context);
    refuseCursor(params);
    return { resourceTemplates: listTemplates(kinds) };
  });
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) => {
    deps.loop.entered('mcp resources/read');
    return readResource(
      deps,
      uri,
      { principal: caller(context), connection: options.connection(context) },
      era,
    );
  });
  if (!subscriptionOf) return;
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    const opened = subscriptionOf();
    if ('rejection' in opened) throw refusal(deps, failureOf(opened.rejection));
    const mayFollow = await subscriptions.mayFollow(caller(context), uri);
    const result = mayFollow ? await opened.value.follow(uri) : 'unseen';
    if (result === 'full') throw refusal(deps, failureOf(FOLLOWS_TOO_MANY));
    // A resource that the caller may not follow gets the same answer as one that does not exist.
    if (result === 'unseen') throw new ResourceNotFoundError(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    const opened = subscriptionOf();
    if ('value' in opened) opened.value.unfollow(uri);
    return {};
  });
}

/** No address of this server is longer. */
const MAX_URI = 8_192;
const FOLLOWS_TOO_MANY: Rejection = reject(
  RejectionCode.RATE_LIMITED,
  `This session follows ${fixedLimits.mcpAddressesPerListener.value} addresses, which is the most; unsubscribe from one first`,
);

/** The caller gets the same answer for what it may not see and for what does not exist. */
const UNSEEN: ReadonlySet<RejectionCode> = new Set([
  RejectionCode.SESSION_NOT_FOUND,
  RejectionCode.HANDOFF_NOT_FOUND,
  RejectionCode.OPERATION_NOT_FOUND,
]);

async function readResource(
  deps: McpDependencies,
  uri: string,
  { principal, connection }: Pick<ToolCall, 'principal' | 'connection'>,
  era: McpServerOptions['era'],
): Promise<ReadResourceResult> {
  const located = uri.length > MAX_URI ? undefined : locate(deps.kinds, uri);
  if (!located) throw new ResourceNotFoundError(uri.slice(0, MAX_URI));
  const { kind, address } = located;
  if (!principal.scopes.has(kind.scope)) throw refusal(deps, scopeFailure(kind.scope, connection));
  const outcome = await kind.read(address, principal).catch((thrown: unknown) => {
    const requestId = createRequestId(deps.now());
    const failure = logFault(deps.log, { resource: kind.name, requestId }, thrown);
    throw refusal(deps, failure, ProtocolErrorCode.InternalError, requestId);
  });
  if ('rejection' in outcome) throw rejected(deps, uri, outcome.rejection);
  const { value } = outcome;
  const shown = kind.contents?.(value) ?? {
    mimeType: kind.mimeType ?? JSON_TYPE,
    text: JSON.stringify(value),
  };
  const contents = [{ uri, ...shown }];
  // The older era has no such fields.
  const hints =
    era === 'modern' && kind.keepMs !== undefined ? { ttlMs: kind.keepMs, cacheScope: 'private' } : {};
  return { contents, ...hints };
}

function rejected(deps: McpDependencies, uri: string, rejection: Rejection): Error {
  if (UNSEEN.has(rejection.code)) return new ResourceNotFoundError(uri);
  return refusal(deps, failureOf(rejection));
}

/**
 * What a client brings to a call beside the arguments: what it can be asked for, and in a further round its answers and
 * the state that it carried. A state that was not made here is refused as the protocol asks, before the tool is called.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../auth/principal.js';
import type { Tool, ToolCall } from './tool.js';

const UNKNOWN_STATE =
  'The requestState was not made by this server for this call, or it is too old; call again without it';

export function carriedBy(
  server: Server,
  tool: Pick<Tool, 'knows' | 'review'>,
  { mcpReq }: ServerContext,
  principal: Principal,
): Pick<ToolCall, 'client' | 'answers' | 'state'> {
  const knows = tool.review?.knows ?? tool.knows;
  const state = knows && mcpReq.requestState<unknown>();
  if (typeof state === 'string' && !knows?.(state, principal))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, UNKNOWN_STATE);
  const client = capabilitiesOf(server, mcpReq);
  const answers = mcpReq.inputResponses;
  return {
    ...(client && { client }),
    ...(answers && { answers }),
    ...(typeof state === 'string' && { state }),
  };
}

/** Clients of the newer era send their capabilities with each request, clients of the older era once. */
function capabilitiesOf(
  server: Server,
  { envelope }: Pick<ServerContext['mcpReq'], 'envelope'>,
): ClientCapabilities | undefined {
  const said = (envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return (said as ClientCapabilities | undefined) ?? server.getClientCapabilities();
}

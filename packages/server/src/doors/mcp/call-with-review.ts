/**
 * Tools whose result is a page for the user. A client that can open URLs is asked to open the page, and gets the result
 * in a second round. A client that cannot gets the result, with the URL in it, at once.
 *
 * W1. If the user declines the page, the operation is cancelled. If the user closes the question, it stays pending.
 * W2. The server remembers nothing between the rounds. The client carries the whole state, encrypted, and the server
 *     accepts it only if it was made for this caller and tool.
 */
import type { JsonObject } from '@handover/core';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ReviewRounds, Tool, ToolCall } from './tool.js';

const QUESTION = 'open';

export async function callWithReview(
  server: Server,
  tool: Tool,
  review: ReviewRounds,
  context: ServerContext,
  call: ToolCall,
  run: (tool: Tool) => Promise<CallToolResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const state = context.mcpReq.requestState<unknown>();
  if (typeof state === 'string') {
    const said = inputResponse(context.mcpReq.inputResponses, QUESTION);
    const declined = said.kind === 'elicit' && said.action === 'decline';
    // The person's word is not refused for the rate of the agent.
    return run({ ...tool, unlimited: true, run: () => review.resume(state, declined, call.principal) });
  }
  const result = await run(tool);
  if (result.isError || !canOpenUrls(server, context)) return result;
  const value = (result.structuredContent as { readonly data?: JsonObject }).data;
  const page = value && review.ask(value, call.principal);
  if (!page) return result;
  const { url, message } = page;
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message, url }) },
    requestState: page.state,
  });
}

/** Clients of the newer era send their capabilities with each request, clients of the older era once. */
function canOpenUrls(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const said = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return (said ?? server.getClientCapabilities())?.elicitation?.url !== undefined;
}

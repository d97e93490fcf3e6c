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
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  isInputRequiredResult,
} from '@modelcontextprotocol/server';
import type { ReviewRounds, Tool, ToolCall } from './tool.js';

const QUESTION = 'open';

export async function callWithReview(
  tool: Tool,
  review: ReviewRounds,
  call: ToolCall,
  run: (tool: Tool) => Promise<CallToolResult | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const { state, answers, principal, client } = call;
  if (state !== undefined) {
    const said = inputResponse(answers, QUESTION);
    const declined = said.kind === 'elicit' && said.action === 'decline';
    return run({ ...tool, run: () => review.resume(state, declined, principal) });
  }
  const result = await run(tool);
  if (isInputRequiredResult(result) || result.isError || !client?.elicitation?.url) return result;
  const value = (result.structuredContent as { readonly data?: JsonObject }).data;
  const page = value && review.ask(value, principal);
  if (!page) return result;
  const { url, message } = page;
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message, url }) },
    requestState: page.state,
  });
}

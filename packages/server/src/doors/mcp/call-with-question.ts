/**
 * Tools that ask the user before they act, where the client can show a question. The client asks and calls the tool again
 * with the answer; to clients of the older era the SDK sends the question while the call waits.
 *
 * Q1. The server remembers nothing between the rounds. The second round begins anew, and an answer counts only for the
 *     question with its id: what has changed meanwhile is asked anew.
 * Q2. A client that cannot show a question is not asked; what then holds is the tool's affair.
 */
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { Ask, Tool, ToolCall, UserQuestion } from './tool.js';

export async function callWithQuestion(
  tool: Tool,
  { client, answers }: ToolCall,
  run: (tool: Tool) => Promise<CallToolResult | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  if (!canShowForms(client)) return run(tool);
  let open: UserQuestion | undefined;
  const ask: Ask = async (question) => {
    const said = inputResponse(answers, question.id);
    if (said.kind !== 'elicit') {
      open = question;
      return 'unanswered';
    }
    if (said.action === 'accept') return 'yes';
    return said.action === 'decline' ? 'no' : 'closed';
  };
  const result = await run({ ...tool, run: (args, call) => tool.run(args, { ...call, ask }) });
  if (!open) return result;
  const { id, message } = open;
  // A form without fields: yes or no is all that is asked.
  const requestedSchema = { type: 'object' as const, properties: {} };
  return inputRequired({ inputRequests: { [id]: inputRequired.elicit({ message, requestedSchema }) } });
}

/** A client that names neither way is one from before there were two: it shows forms. */
function canShowForms(client: ToolCall['client']): boolean {
  const elicitation = client?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

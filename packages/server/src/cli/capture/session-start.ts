/** The text that a client adds to a conversation when it begins: what waits for the agent in this project. */
import { visitServer } from '../../doors/socket/local-client.js';
import type { HookRequest } from '../../services/handoffs/capture-request.js';
import type { HookPayload } from './hook-payload.js';
import type { HookCall } from './run-hook.js';
import { projectOf } from './target.js';

/** Left for printing. */
const SPARE_MS = 50;

/** What to print, or undefined: then nothing is printed, not even an empty line. */
export async function sessionStart(
  { client, agent, folder, project }: HookCall,
  { session, source, cwd }: HookPayload,
  endAt: number,
): Promise<string | undefined> {
  const autoload = process.env.HANDOVER_AUTOLOAD || 'lines';
  if (autoload !== 'lines' && autoload !== 'brief') return undefined;
  const body: HookRequest = {
    ...{ client, clientSession: session, event: 'SessionStart', autoload },
    ...(source !== undefined && { source }),
    ...projectOf({ ...(project !== undefined && { project }), ...(cwd !== undefined && { cwd }) }),
  };
  const left = () => Math.max(1, endAt - performance.now() - SPARE_MS);
  const visit = await visitServer(folder, { wanted: 'hook', agent, body }, left());
  if (visit.kind !== 'open') return undefined;
  visit.socket.destroy();
  const { text } = visit.answer as { readonly text?: string };
  return text === undefined || text === '' ? undefined : outputOf(text);
}

/** Both clients read the same form. */
function outputOf(text: string): string {
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: text };
  return `${JSON.stringify({ hookSpecificOutput })}\n`;
}

/** The text that a client adds to a conversation when it begins: what waits for the agent in this project. */
import { visitServer } from '../../doors/socket/local-client.js';
import { DEFAULT_TENANT } from '../../services/dependencies.js';
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
  if (visit.kind === 'refused') return undefined;
  if (visit.kind === 'open') visit.socket.destroy();
  const text =
    visit.kind === 'open'
      ? (visit.answer as { readonly text?: string }).text
      : await withoutServer(folder, agent, body);
  return text === undefined || text === '' ? undefined : outputOf(text);
}

/** A store that is broken, or locked, is no reason to say anything here. */
async function withoutServer(
  folder: string,
  agent: string,
  { project }: HookRequest,
): Promise<string | undefined> {
  const [{ withFolder }, { whatWaits }, { hookText }] = await Promise.all([
    import('./look-at-folder.js'),
    import('../../services/handoffs/what-waits.js'),
    import('../../services/handoffs/hook-text.js'),
  ]);
  const viewer = {
    tenant: DEFAULT_TENANT,
    agent,
    openParking: true,
    ...(project && { project: project.id }),
  };
  const items = await withFolder(folder, (look) => whatWaits(look, viewer));
  return hookText(items, { agent, now: Date.now(), ...(project && { project: project.name }) });
}

/** Both clients read the same form. */
function outputOf(text: string): string {
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: text };
  return `${JSON.stringify({ hookSpecificOutput })}\n`;
}

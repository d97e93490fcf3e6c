/** The text that a client adds to a conversation when it begins: what waits for the agent in this project. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_TENANT } from '../../services/dependencies.js';
import type { HookRequest } from '../../services/handoffs/capture-request.js';
import type { HookTold } from '../../services/handoffs/hook-text.js';
import type { HookPayload } from './hook-payload.js';
import { logHook } from './hooks-log.js';
import { projectOf } from './project-of.js';
import type { HookCall } from './run-hook.js';
import { toldText } from './told-text.js';

/** Left for printing. */
const SPARE_MS = 50;

/** A timer ends about its time. */
const SOON_MS = 5;
const OUT_OF_TIME = 'no answer in its time; what waits was not shown';

/** The event that says that the text of another was shown. */
export const SHOWN = 'Shown';

export interface SessionStart {
  readonly output: string;
  /** To be called once it is printed. */
  isShown(): Promise<void>;
}

/** What to print, or undefined: then nothing is printed, not even an empty line. */
export async function sessionStart(
  call: HookCall,
  { session, source, cwd }: HookPayload,
  endAt: number,
): Promise<SessionStart | undefined> {
  const { client, project } = call;
  const autoload = process.env.HANDOVER_AUTOLOAD || 'lines';
  if (autoload !== 'lines' && autoload !== 'brief') return undefined;
  const body: HookRequest = {
    ...{ client, clientSession: session, event: 'SessionStart', autoload },
    ...(source !== undefined && { source }),
    ...projectOf({ ...(project !== undefined && { project }), ...(cwd !== undefined && { cwd }) }),
  };
  const left = () => Math.max(1, endAt - performance.now() - SPARE_MS);
  const isHere = call.server === undefined;
  const found = await (isHere ? inTime(here(call, body, left), left()) : elsewhere(call, body, left));
  const { text, upTo } = found ?? {};
  // Silence would look like nothing that waits. What a server elsewhere did not say stands in the log already.
  if (isHere && text === undefined && left() <= SOON_MS)
    logHook(call.folder, `session-start of ${client}: ${OUT_OF_TIME}`);
  const mayHaveBrief = autoload === 'brief' || source === 'compact';
  const told = typeof text !== 'string' || isHere ? text : toldText(text, mayHaveBrief);
  if (typeof told !== 'string' || told === '') return undefined;
  const shown = typeof upTo === 'number' ? { ...body, event: SHOWN, shown: upTo } : undefined;
  return {
    output: outputOf(told),
    isShown: async () => {
      if (!shown) return;
      if (isHere) await sayShown(call.folder, call.agent ?? client, shown, left());
      else await elsewhere(call, shown, left);
    },
  };
}

/** Undefined: it was not. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const given = new AbortController();
  const over = sleep(ms, undefined, { ref: false, signal: given.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, over]);
  } finally {
    given.abort();
  }
}

async function here(
  { client, agent = client, folder }: HookCall,
  body: HookRequest,
  left: () => number,
): Promise<Partial<HookTold>> {
  const { visitServer } = await import('../../doors/socket/local-client.js');
  const visit = await visitServer(folder, { wanted: 'hook', agent, body }, left());
  if (visit.kind === 'refused') return {};
  if (visit.kind === 'absent') return withoutServer(folder, agent, body, performance.now() + left());
  visit.socket.destroy();
  return visit.answer as Partial<HookTold>;
}

/** A server that is away, or refuses, is no reason to say anything here; the log says it. */
async function elsewhere(call: HookCall, body: HookRequest, left: () => number): Promise<Partial<HookTold>> {
  const say = (why: Error) => logHook(call.folder, `session-start of ${call.client}: ${why.message}`);
  try {
    const { postApi } = await import('../remote/post-api.js');
    const answer = await postApi(placeOf(call), 'hook', body, left());
    if (answer.kind === 'done') return answer.value as Partial<HookTold>;
    say(answer.why);
  } catch (thrown) {
    // What is wrong with the flags.
    say(thrown as Error);
  }
  return {};
}

const placeOf = ({ server = '', token, agent }: HookCall) => ({
  server,
  ...(token !== undefined && { token }),
  ...(agent !== undefined && { agent }),
});

/** Whatever is told once is told again if this does not arrive. */
export async function sayShown(
  folder: string,
  agent: string,
  body: HookRequest,
  timeoutMs: number,
): Promise<void> {
  const { visitServer } = await import('../../doors/socket/local-client.js');
  const visit = await visitServer(folder, { wanted: 'hook', agent, body }, timeoutMs);
  if (visit.kind === 'open') visit.socket.destroy();
}

/** A store that is broken, or locked, is no reason to say anything here. */
async function withoutServer(
  folder: string,
  agent: string,
  { project }: HookRequest,
  endAt: number,
): Promise<Partial<HookTold>> {
  const { holdsData } = await import('../../store/sqlite/index.js');
  // Before the first call of an assistant there is none, and nothing waits.
  if (!(await holdsData(folder))) return {};
  const [{ withFolder }, { whatIsShown }, { hookText }] = await Promise.all([
    import('./look-at-folder.js'),
    import('../../services/handoffs/waiting/what-is-shown.js'),
    import('../../services/handoffs/hook-text.js'),
  ]);
  const viewer = {
    ...{ tenant: DEFAULT_TENANT, agent, transport: 'stdio' as const },
    ...(project && { project: project.id }),
  };
  const items = await withFolder(folder, endAt, (look) => whatIsShown(look, viewer));
  const text = hookText(items, { agent, now: Date.now(), ...(project && { project: project.name }) });
  return text === undefined ? {} : { text };
}

/** Both clients read the same form. */
function outputOf(text: string): string {
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: text };
  return `${JSON.stringify({ hookSpecificOutput })}\n`;
}

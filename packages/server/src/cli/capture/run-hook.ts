/**
 * `handover hook EVENT --client NAME`: what clients run at the events of a conversation. The client waits for it, and shows
 * or obeys what it prints.
 *
 * H1. It ends with 0 after at most 800 ms, whatever happens; at the start of a session, where it has something to say, after 2 s.
 * H2. It prints nothing but the text for the start of a session; and, where stderr is a terminal, what is wrong with the call.
 * H3. It loads nothing of the server; only the start of a session asks one.
 * H4. Whatever the event is, what still waits in the spool is sent, by a process of its own.
 * H5. A token is never read here but for the start of a session, and never written anywhere: only where it is.
 * H6. A data folder that is not this user's alone is neither read nor written to: what waits in it could name another
 *     place for a conversation, and a server in it tell the assistant what to do.
 */
import { parseArgs } from 'node:util';
import { dataPath } from '../../config/data-path.js';
import { folderFlaw } from '../../platform/own-folder.js';
import { clientNamed, eventNamed, HOOK_EVENTS, type HookClient, type HookEvent } from './clients.js';
import { type HookPayload, readHookPayload } from './hook-payload.js';
import { logHook } from './hooks-log.js';
import { readStdin } from './read-stdin.js';
import { putInSpool, type SpooledEvent } from './spool.js';
import { sendWhatWaits, startCapture } from './start-capture.js';

const END_MS = 800;
/** On a busy morning Node alone takes a second to start, and silence looks like nothing that waits. */
const START_END_MS = 2_000;
const STDIN_MS = 400;

/** What the command line says. */
export interface HookCall {
  readonly client: HookClient;
  readonly event: HookEvent;
  /** Absent: the client's name, or at a server elsewhere the token's. */
  readonly agent?: string;
  readonly folder: string;
  readonly project?: string;
  /** A server elsewhere, and where the token for it is: `@` and a path. */
  readonly server?: string;
  readonly token?: string;
}

export async function runHook(args: readonly string[]): Promise<void> {
  const isStart = args.some((word) => eventNamed(word) === 'session-start');
  const endMs = isStart ? START_END_MS : END_MS;
  setTimeout(() => process.exit(0), endMs).unref();
  const endAt = performance.now() + endMs;
  const { call, folder, flaw } = await readCall(args);
  try {
    const unsafe = call && folderFlaw(folder);
    if (unsafe !== undefined)
      logHook(folder, `${call?.event} of ${call?.client}: the data folder ${folder} ${unsafe}`);
    else if (call) await told(call, endAt);
    else await misused(folder, flaw);
  } catch (error) {
    logHook(
      folder,
      `${call?.event} of ${call?.client}: ${(error as NodeJS.ErrnoException).code ?? 'failed'}`,
    );
  }
  process.exitCode = 0;
}

/** A client never gives these; a person who tries them at a terminal sees why nothing happens. */
async function misused(folder: string, flaw: string): Promise<void> {
  logHook(folder, flaw);
  if (!process.stderr.isTTY) return;
  const { printable } = await import('../conventions/printable.js');
  process.stderr.write(`handover: ${printable(flaw)}\n`);
}

async function told(call: HookCall, endAt: number): Promise<void> {
  const { client, event, folder } = call;
  const said = await readStdin(process.stdin, STDIN_MS);
  const payload = said === undefined ? 'stdin did not end in time, or was too long' : readHookPayload(said);
  if (typeof payload === 'string') return logHook(folder, `${event} of ${client}: ${payload}`);
  if (event !== 'session-start') return spool(call, payload);
  const { sessionStart } = await import('./session-start.js');
  const start = await sessionStart(call, payload, endAt);
  if (start) await printed(start.output);
  // After the text that the client waits for: both would want the processor.
  sendWhatWaits(folder);
  await start?.isShown();
}

const printed = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

function spool({ folder, ...call }: HookCall, payload: HookPayload): void {
  const spooled: SpooledEvent = {
    v: 1,
    ...call,
    at: Date.now(),
    parks: process.env.HANDOVER_CAPTURE_PARKS !== '0',
    ...payload,
  };
  if (putInSpool(folder, spooled)) startCapture(folder);
}

interface Read {
  readonly call?: HookCall;
  readonly folder: string;
  readonly flaw: string;
}

async function readCall(args: readonly string[]): Promise<Read> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: {
      ...{ client: text, agent: text, project: text, server: text, token: text },
      'data-dir': { ...text, short: 'd' },
    },
  });
  const given = (name: string) => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const named = given('data-dir');
  const folder = dataPath({ ...process.env, ...(named !== undefined && { HANDOVER_DATA_DIR: named }) });
  const event = eventNamed(positionals[0] ?? '');
  const client = clientNamed(given('client'));
  if (!event)
    return {
      folder,
      flaw: `unknown event ${positionals[0] ?? '(none)'}; events are ${HOOK_EVENTS.join(', ')}`,
    };
  if (!client) return { folder, flaw: `unknown client ${given('client') ?? '(none)'}` };
  const project = given('project') ?? process.env.CLAUDE_PROJECT_DIR;
  const agent = given('agent');
  const place = await placeNamed(given('server'), given('token'));
  if (typeof place === 'string') return { folder, flaw: `${event} of ${client}: ${place}` };
  const call = { client, event, folder, ...(agent && { agent }), ...(project && { project }), ...place };
  return { folder, flaw: '', call };
}

/** Where it goes, or what is wrong with that. The token's place is written out: the next process may run elsewhere. */
async function placeNamed(
  server: string | undefined,
  token: string | undefined,
): Promise<Pick<HookCall, 'server' | 'token'> | string> {
  if (server === undefined) return token === undefined ? {} : '--token needs --server';
  const named = token ?? (process.env.HANDOVER_TOKEN || undefined);
  if (named === undefined) return { server };
  const { tokenPlace } = await import('../remote/token-place.js');
  const path = tokenPlace(named);
  return path === undefined ? 'a token is named by its file: --token @FILE' : { server, token: `@${path}` };
}

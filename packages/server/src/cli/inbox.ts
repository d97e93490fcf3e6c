/**
 * `handover inbox`: what waits for an agent, or for every agent of this machine. It asks the server of the data folder, and
 * reads the folder itself where none runs. With `--hook` it is for the hook commands of assistants: a few lines when
 * something waits, nothing when nothing does, exit 0 in any case, and never longer than a second. What it printed there counts as
 * told to the agent; what a person looks at does not.
 */
import { homedir } from 'node:os';
import type { Command } from 'commander';
import { visitServer } from '../doors/socket/local-client.js';
import { DEFAULT_TENANT } from '../services/dependencies.js';
import { hookSaid } from '../services/handoffs/hook-text.js';
import type { WaitingRefused } from '../services/handoffs/waiting/answer-waiting.js';
import type { Inboxes, InboxesRequest } from '../services/handoffs/waiting/inboxes.js';
import type { Project } from '../services/project.js';
import { SHOWN, sayShown } from './capture/session-start.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { notAllowed, timedOut, wrongUsage } from './conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  type JsonFlags,
  namedAgent,
  ownDataFolder,
  withAgent,
  withDataDir,
  withJson,
  withTimeout,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { inboxJson } from './inbox-json.js';
import { inboxText } from './inbox-text.js';
import { findProject, projectFlaw } from './project/find-project.js';
import { requireUnixSockets } from './unix-sockets.js';

interface InboxFlags extends DataFlags, AgentFlags, JsonFlags {
  readonly project?: string;
  readonly all?: boolean;
  readonly hook?: boolean;
  readonly timeout: number;
}

const HOOK_MS = 800;
const PATIENT_SECS = 5;

export function describeInbox(command: Command): void {
  withAgent(command, 'whose; else HANDOVER_AGENT_ID; else, on a terminal, those of all agents');
  command.option('--project <folder>', 'of this project; else of the one that the working folder belongs to');
  command.option('--all', 'of all projects');
  command.option('--hook', 'for hook commands: short, quick, silent when empty, never fails');
  withJson(withDataDir(withTimeout(command, PATIENT_SECS)));
  const exits = [
    ...[ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound, ExitCode.NotAllowed, ExitCode.TimedOut],
  ];
  acting(command, exits, (output, flags: InboxFlags) =>
    flags.hook ? hook(flags, output) : inbox(flags, output),
  );
}

async function inbox(flags: InboxFlags, { out }: Output): Promise<ExitCode> {
  requireUnixSockets();
  const endAt = performance.now() + flags.timeout * 1_000;
  const agent = whose(flags);
  const project = projectOf(flags);
  const found = await lookFor(flags, { agent, project }, endAt);
  if (flags.json) out(`${JSON.stringify(inboxJson(found), null, 2)}\n`);
  else out(inboxText(found));
  return ExitCode.Done;
}

/** An assistant is waiting for this, so an error must not stop it. */
async function hook(flags: InboxFlags, { out }: Output): Promise<ExitCode> {
  const late = setTimeout(() => process.exit(0), HOOK_MS);
  const endAt = performance.now() + HOOK_MS;
  try {
    const agent = namedAgent(flags);
    const project = projectOf(flags);
    if (agent === undefined) return ExitCode.Done;
    const found = await lookFor(flags, { agent, project, untold: true }, endAt);
    const [one] = found.inboxes;
    const reader = { agent, now: found.at, ...(project && { project: project.name }) };
    const said = one && hookSaid(one.items, reader);
    if (flags.json) out(`${JSON.stringify(inboxJson(found))}\n`);
    else if (said) out(`${said.text}\n`);
    if (flags.json || said?.toldAll) await noteLook(flags, agent, project, found.at, endAt);
  } catch {
    // A hook prints nothing when something is wrong.
  } finally {
    clearTimeout(late);
  }
  return ExitCode.Done;
}

function whose(flags: InboxFlags): string | undefined {
  const agent = namedAgent(flags);
  if (agent === undefined && process.stdout.isTTY !== true)
    throw wrongUsage('it is not said whose inbox', 'Give --agent NAME, or set HANDOVER_AGENT_ID');
  return agent;
}

function projectOf({ project, all }: InboxFlags): Project | undefined {
  if (project !== undefined && all) throw wrongUsage('--project and --all exclude one another');
  const flaw = projectFlaw(project);
  if (flaw !== undefined) throw wrongUsage(flaw);
  if (all) return undefined;
  const sources = { flag: project, env: process.env, workingFolder: process.cwd(), home: homedir() };
  return findProject(sources)?.project;
}

interface Looked {
  readonly agent: string | undefined;
  readonly project: Project | undefined;
  /** For the agent itself, which is told some things once. */
  readonly untold?: boolean;
}

async function lookFor(
  flags: InboxFlags,
  { agent, project, untold = false }: Looked,
  endAt: number,
): Promise<Inboxes> {
  const folder = ownDataFolder(flags);
  const body = {
    ...(agent !== undefined && { agent }),
    ...(project && { project: project.id }),
    ...(untold && { untold }),
  };
  const visit = await visitServer(folder, { wanted: 'waiting', body }, leftTill(endAt));
  if (visit.kind === 'refused') throw notAllowed(visit.error);
  if (visit.kind === 'absent') return inFolder(folder, body, endAt);
  visit.socket.destroy();
  const answer = visit.answer as Inboxes | WaitingRefused;
  if ('refused' in answer) throw wrongUsage(answer.refused);
  return answer;
}

async function inFolder(folder: string, request: InboxesRequest, endAt: number): Promise<Inboxes> {
  const [{ requireData }, { TooSlow, withFolder }, { inboxes }] = await Promise.all([
    import('./require-data.js'),
    import('./capture/look-at-folder.js'),
    import('../services/handoffs/waiting/inboxes.js'),
  ]);
  await requireData(folder);
  try {
    return await withFolder(folder, endAt, (look) => inboxes(look, DEFAULT_TENANT, request));
  } catch (thrown) {
    if (thrown instanceof TooSlow)
      throw timedOut('the data folder could not be read in time', 'Give more with --timeout SECS');
    throw thrown;
  }
}

/** Without a server nobody notes it, and what is told once is told again. */
async function noteLook(
  flags: InboxFlags,
  agent: string,
  project: Project | undefined,
  shown: number,
  endAt: number,
): Promise<void> {
  const of = { client: 'inbox', clientSession: 'inbox', event: SHOWN, shown };
  const body = { ...of, ...(project && { project: { id: project.id, name: project.name } }) };
  await sayShown(ownDataFolder(flags), agent, body, leftTill(endAt));
}

const leftTill = (endAt: number): number => Math.max(1, endAt - performance.now());

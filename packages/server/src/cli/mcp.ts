/**
 * `handover mcp`: MCP over stdio, for assistants that start their servers themselves. It is a pipe to the server of the
 * data folder, so that all assistants on this machine share one inbox, or to a server elsewhere (`--server`). Nothing but
 * protocol goes to stdout.
 */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import type { Command } from 'commander';
import { readToolSets, TOOL_SETS, type ToolSetName } from '../auth/tool-sets.js';
import { readConfiguration } from '../config/configuration.js';
import { sendWhatWaits } from './capture/start-capture.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { type CommandFailure, noServer, refused, wrongUsage } from './conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  dataFolder,
  namedAgent,
  namedFolder,
  namedServer,
  ownDataFolder,
  type ServerFlags,
  withAgent,
  withDataDir,
  withServer,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { type Joining, joinServer } from './local-server.js';
import { LastingPipe, type PipeEnd, type PipeOptions } from './pipe/lasting-pipe.js';
import { SocketChannel } from './pipe/socket-channel.js';
import { findProject, projectFlaw } from './project/find-project.js';
import type { RemotePlace } from './remote/post-api.js';
import { remoteServer } from './remote/remote-server.js';
import { requireUnixSockets } from './unix-sockets.js';

interface McpFlags extends DataFlags, AgentFlags, ServerFlags {
  readonly project?: string;
  readonly toolsets?: string;
}

export function describeMcp(command: Command): void {
  withAgent(command, 'who this assistant is; else HANDOVER_AGENT_ID, else what it calls itself');
  command
    .option(
      '--project <folder>',
      'what it works on; else CLAUDE_PROJECT_DIR, else the folder it is started in',
    )
    .option(
      '--toolsets <names>',
      `which of ${TOOL_SETS.join(',')} it lists; else HANDOVER_TOOLSETS, else handoff,admin`,
    );
  withServer(withDataDir(command));
  acting(command, [ExitCode.Failed], (output, flags: McpFlags) => mcp(flags, output));
}

async function mcp(flags: McpFlags, { note }: Output): Promise<ExitCode> {
  const { stdin: input, stdout: output } = process;
  const say = (text: string) => note(`handover: ${text}`);
  const elsewhere = namedServer(flags);
  const way = afterJoining(elsewhere ? remoteWay(flags, elsewhere) : localWay(flags, say), () =>
    sendWhatWaits(dataFolder(flags)),
  );
  const end = await new LastingPipe({ input, output, note: say, ...way }).run();
  if (end !== 'client-left') throw FAILURES[end];
  return ExitCode.Done;
}

type Way = Pick<PipeOptions, 'join' | 'lost'>;

/** Once there is a server: what hooks could not send is sent beside it, and the assistant waits for neither. */
function afterJoining({ join, ...way }: Way, then: () => void): Way {
  let isDue = true;
  const joined = async () => {
    const channel = await join();
    if (isDue) setImmediate(then);
    isDue = false;
    return channel;
  };
  return { ...way, join: joined };
}

function localWay(flags: McpFlags, say: (text: string) => void): Way {
  requireUnixSockets();
  const folder = ownDataFolder(flags);
  const joining = joiningOf(flags);
  // The server would report a wrong setting in its log file only; here the user sees it.
  readConfiguration(process.env, { forAssistants: true, dataDir: folder });
  let said = false;
  const join = async () => {
    const { socket, ignoredSettings } = await joinServer(folder, joining());
    if (!said) for (const name of ignoredSettings) say(`${name} is ${IGNORED}\n`);
    said = true;
    return new SocketChannel(socket);
  };
  return { join };
}

function remoteWay(flags: McpFlags, { server, token }: RemotePlace): Way {
  if (namedFolder(flags) !== undefined)
    throw wrongUsage('--data-dir names a server on this machine, --server one elsewhere', 'Give one of them');
  const { join, shown } = remoteServer({ server, token, joining: joiningOf(flags) });
  return { join, lost: `the connection to ${shown} is lost; joining again` };
}

/** What every server that this window joins is told of it. */
function joiningOf(flags: McpFlags): () => Joining {
  const { env } = process;
  const agent = namedAgent(flags);
  const toolsets = namedSets(flags.toolsets ?? env.HANDOVER_TOOLSETS);
  const flaw = projectFlaw(flags.project);
  if (flaw !== undefined) throw wrongUsage(flaw);
  // Every server knows the window by the same name, so that what is sent twice is done once.
  const instance = randomBytes(4).toString('hex');
  const session = env.CLAUDE_CODE_SESSION_ID;
  return () => {
    const found = findProject({ flag: flags.project, env, workingFolder: process.cwd(), home: homedir() });
    return {
      env,
      instance,
      ...(agent !== undefined && { agent }),
      ...(toolsets && { toolsets }),
      ...found,
      ...(session && { client: { name: 'claude', session } }),
    };
  };
}

function namedSets(text: string | undefined): readonly ToolSetName[] | undefined {
  if (text === undefined || text === '') return undefined;
  const sets = readToolSets(text);
  if (typeof sets === 'string') throw wrongUsage(sets);
  return [...sets];
}

const IGNORED = 'ignored: the running server was started with another value; "handover stop" ends it';
const RESTART = 'Start the assistant’s connection again';

const FAILURES: Readonly<Record<Exclude<PipeEnd, 'client-left'>, CommandFailure>> = {
  'no-server': noServer('the server has ended', RESTART),
  'another-revision': refused('the server was replaced by one that speaks another revision of MCP', RESTART),
  'too-much': refused(
    'more was sent without an answer, or without the end of a line, than can be kept',
    RESTART,
  ),
};

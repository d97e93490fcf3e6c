/**
 * `handover mcp`: MCP over stdio, for assistants that start their servers themselves. It is a pipe to the server of the
 * data folder, so that all assistants on this machine share one inbox, or to a server elsewhere (`--server`). Nothing but
 * protocol goes to stdout.
 */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { readConfiguration } from '../config/configuration.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { type CommandFailure, noServer, refused, wrongUsage } from './conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  dataFolder,
  namedAgent,
  namedFolder,
  withAgent,
  withDataDir,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { joinServer } from './local-server.js';
import { LastingPipe, type PipeEnd, type PipeOptions } from './pipe/lasting-pipe.js';
import { SocketChannel } from './pipe/socket-channel.js';
import { connectionHeaders } from './remote/connection-headers.js';
import { remoteServer } from './remote/remote-mcp.js';
import { requireUnixSockets } from './unix-sockets.js';

interface McpFlags extends DataFlags, AgentFlags {
  readonly server?: string;
  readonly token?: string;
}

export function describeMcp(command: Command): void {
  withAgent(command, 'who this assistant is; else HANDOVER_AGENT_ID, else what it calls itself');
  withDataDir(command);
  command
    .option('--server <url>', 'a server elsewhere, instead of the one of the data folder')
    .option('--token <@file>', 'the file with the token for --server; else HANDOVER_TOKEN');
  acting(command, [ExitCode.Failed], (output, flags: McpFlags) => mcp(flags, output));
}

async function mcp(flags: McpFlags, { note }: Output): Promise<ExitCode> {
  const { stdin: input, stdout: output } = process;
  const way = flags.server === undefined ? local(flags) : remote(flags, flags.server);
  const pipe = new LastingPipe({ input, output, ...way, note: (text) => note(`handover: ${text}`) });
  const end = await pipe.run();
  if (end !== 'client-left') throw FAILURES[end];
  return ExitCode.Done;
}

type Way = Pick<PipeOptions, 'join' | 'lost'>;

function local(flags: McpFlags): Way {
  if (flags.token !== undefined) throw wrongUsage('--token is for a server elsewhere', 'Give --server, too');
  requireUnixSockets();
  const folder = dataFolder(flags);
  const joining = joiningOf(flags);
  // The server would report a wrong setting in its log file only; here the user sees it.
  readConfiguration(process.env, { forAssistants: true, dataDir: folder });
  return { join: async () => new SocketChannel((await joinServer(folder, joining)).socket) };
}

function remote(flags: McpFlags, server: string): Way {
  if (namedFolder(flags) !== undefined)
    throw wrongUsage('--data-dir names a server on this machine, --server one elsewhere', 'Give one of them');
  const joining = joiningOf(flags);
  const token = flags.token ?? (process.env.HANDOVER_TOKEN || undefined);
  const { join, shown } = remoteServer({ server, token, agent: joining.agent }, () =>
    connectionHeaders(joining),
  );
  return { join, lost: `the connection to ${shown} is lost; joining again` };
}

/** What every server that this window joins is told of it. */
function joiningOf(flags: McpFlags) {
  // They know the window by the same name, so that what is sent twice is done once.
  return { agent: namedAgent(flags), instance: randomBytes(4).toString('hex') };
}

const RESTART = 'Start the assistant’s connection again';

const FAILURES: Readonly<Record<Exclude<PipeEnd, 'client-left'>, CommandFailure>> = {
  'no-server': noServer('the server has ended', RESTART),
  'another-revision': refused('the server was replaced by one that speaks another revision of MCP', RESTART),
  'too-much': refused('the server has ended with more unanswered requests than can be sent again', RESTART),
};

/**
 * `handover mcp`: MCP over stdio, for assistants that start their servers themselves. It is a pipe to the server of the
 * data folder, so that all assistants on this machine share one inbox. Nothing but protocol goes to stdout.
 */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { readConfiguration } from '../config/configuration.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { type CommandFailure, noServer, refused } from './conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  dataFolder,
  namedAgent,
  withAgent,
  withDataDir,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { joinServer } from './local-server.js';
import { LastingPipe, type PipeEnd } from './pipe/lasting-pipe.js';
import { SocketChannel } from './pipe/socket-channel.js';
import { requireUnixSockets } from './unix-sockets.js';

type McpFlags = DataFlags & AgentFlags;

export function describeMcp(command: Command): void {
  withAgent(command, 'who this assistant is; else HANDOVER_AGENT_ID, else what it calls itself');
  withDataDir(command);
  acting(command, [ExitCode.Failed], (output, flags: McpFlags) => mcp(flags, output));
}

async function mcp(flags: McpFlags, { note }: Output): Promise<ExitCode> {
  requireUnixSockets();
  const folder = dataFolder(flags);
  const agent = namedAgent(flags);
  // The server would report a wrong setting in its log file only; here the user sees it.
  readConfiguration(process.env, { forAssistants: true, dataDir: folder });
  // Every server that this window joins knows it by the same name, so that what is sent twice is done once.
  const instance = randomBytes(4).toString('hex');
  const join = async () => new SocketChannel((await joinServer(folder, { agent, instance })).socket);
  const { stdin: input, stdout: output } = process;
  const end = await new LastingPipe({ input, output, join, note: (text) => note(`handover: ${text}`) }).run();
  if (end !== 'client-left') throw FAILURES[end];
  return ExitCode.Done;
}

const RESTART = 'Start the assistant’s connection again';

const FAILURES: Readonly<Record<Exclude<PipeEnd, 'client-left'>, CommandFailure>> = {
  'no-server': noServer('the server has ended', RESTART),
  'another-revision': refused('the server was replaced by one that speaks another revision of MCP', RESTART),
  'too-much': refused('the server has ended with more unanswered requests than can be sent again', RESTART),
};

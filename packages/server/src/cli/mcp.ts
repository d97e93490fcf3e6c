/**
 * `handover mcp`: MCP over stdio, for assistants that start their servers themselves. It is a pipe to the server of the
 * data folder, so that all assistants on this machine share one inbox. Nothing but protocol goes to stdout.
 */
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { readConfiguration } from '../config/configuration.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { noServer } from './conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  dataFolder,
  namedAgent,
  withAgent,
  withDataDir,
} from './conventions/flags.js';
import { joinServer } from './local-server.js';
import { requireUnixSockets } from './unix-sockets.js';

type McpFlags = DataFlags & AgentFlags;

export function describeMcp(command: Command): void {
  withAgent(command, 'who this assistant is; else HANDOVER_AGENT_ID, else what it calls itself');
  withDataDir(command);
  acting(command, [ExitCode.Failed], (_, flags: McpFlags) => mcp(flags));
}

async function mcp(flags: McpFlags): Promise<ExitCode> {
  requireUnixSockets();
  const folder = dataFolder(flags);
  const agent = namedAgent(flags);
  // The server would report a wrong setting in its log file only; here the user sees it.
  readConfiguration(process.env, { forAssistants: true, dataDir: folder });
  const { socket } = await joinServer(folder, agent);
  return await pipe(socket);
}

/** Ends when either side does. It writes out what the server has sent, unless stdout is closed. */
async function pipe(socket: Socket): Promise<ExitCode> {
  let asked = false;
  process.stdin.once('end', () => {
    asked = true;
  });
  process.stdin.pipe(socket);
  socket.pipe(process.stdout, { end: false });
  process.stdout.on('error', () => socket.destroy());
  process.stdin.on('error', () => socket.end());
  await finished(socket, { writable: false }).catch(() => undefined);
  process.stdin.unpipe(socket);
  process.stdin.destroy();
  if (asked) return ExitCode.Done;
  throw noServer('the server has ended', 'Start the assistant’s connection again');
}

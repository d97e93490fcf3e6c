/**
 * `handover mcp`: MCP over stdio, for assistants that start their servers themselves. It is a pipe to the server of the
 * data folder, so that all assistants on this machine share one inbox. Nothing but protocol goes to stdout.
 */
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { readConfiguration } from '../config/configuration.js';
import { type LocalFlags, localAgent, localFolder, requireUnixSockets } from './local-flags.js';
import { joinServer } from './local-server.js';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'MCP over stdin and stdout, for assistants; joins the server on this data folder or starts one.',
    )
    .option('--agent <id>', 'who this assistant is; else HANDOVER_AGENT_ID, else what it calls itself')
    .option('--data-dir <folder>', 'where the log lives')
    .action((flags: LocalFlags) => mcp(flags));
}

async function mcp(flags: LocalFlags): Promise<void> {
  requireUnixSockets();
  const folder = localFolder(flags);
  const agent = localAgent(flags);
  // The server would report a wrong setting in its log file only; here the user sees it.
  readConfiguration(process.env, { forAssistants: true, dataDir: folder });
  const { socket } = await joinServer(folder, agent);
  await pipe(socket);
}

/** Ends when either side does. It writes out what the server has sent, unless stdout is closed. */
async function pipe(socket: Socket): Promise<void> {
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
  if (asked) return;
  process.stderr.write('handover: the server has ended; start the assistant’s connection again\n');
  process.exitCode = 1;
}

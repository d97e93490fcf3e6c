/** `handover md import`: what a HANDOFF.md says is handed over, as an assistant does it with handOff. */

import { homedir } from 'node:os';
import { basename } from 'node:path';
import { named, shellLine } from '@handover/core';
import type { Command } from 'commander';
import { AGENT_NAME_RULE, isAgentName } from '../../auth/agent-name.js';
import type { HandOffArgs } from '../../services/handoffs/hand-off-types.js';
import { callTool } from '../call-tool.js';
import { acting } from '../conventions/acting.js';
import { ExitCode } from '../conventions/exit-code.js';
import { refused, wrongUsage } from '../conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  type JsonFlags,
  namedAgent,
  namedFolder,
  ownDataFolder,
  withAgent,
  withDataDir,
  withJson,
} from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printable } from '../conventions/printable.js';
import { findProject, projectFlaw } from '../project/find-project.js';
import { requireUnixSockets } from '../unix-sockets.js';
import { readMdFile } from './md-file.js';
import { mdHandOff } from './md-hand-off.js';
import { isOpenWork } from './open-work.js';
import { MAX_MD_BYTES, readMd } from './read-md.js';

type Flags = DataFlags & AgentFlags & JsonFlags & { readonly to?: string; readonly project?: string };

export function describeMdImport(command: Command): void {
  command
    .argument('<file>', 'a HANDOFF.md, of this command or of anybody')
    .option('--to <agent>', 'who should go on; else whoever resumes next in this project')
    .option('--project <folder>', 'what it is about; else the current folder');
  withAgent(command, 'in whose name; else HANDOVER_AGENT_ID');
  withJson(withDataDir(command));
  const exits = [
    ...[ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound, ExitCode.NotAllowed],
    ...[ExitCode.NoServer, ExitCode.Conflict],
  ];
  acting(command, exits, (output, file: string, flags: Flags) => importMd(file, flags, output));
}

async function importMd(file: string, flags: Flags, output: Output): Promise<ExitCode> {
  requireUnixSockets();
  const agent = namedAgent(flags);
  const { to, project: flag } = flags;
  if (agent === undefined)
    throw wrongUsage('it is not said who hands it over', 'Give --agent NAME, or set HANDOVER_AGENT_ID');
  if (to !== undefined && !isAgentName(to)) throw wrongUsage(`the receiver must be ${AGENT_NAME_RULE}`);
  const flaw = projectFlaw(flag);
  if (flaw !== undefined) throw wrongUsage(flaw);
  const { said: args, madeFrom } = readIn(file);
  const sources = { flag, env: process.env, workingFolder: process.cwd(), home: homedir() };
  const joining = { agent, ...findProject(sources) };
  const folder = ownDataFolder(flags);
  const answer = await callTool(folder, joining, 'handOff', { ...args, ...(to !== undefined && { to }) });
  if (flags.json) {
    output.out(`${JSON.stringify(asCommand(answer, flags))}\n`);
    return ExitCode.Done;
  }
  output.out(`${printable(importedWords(answer, flags))}\n`);
  const isOpen = madeFrom !== undefined && (await isOpenWork(folder, madeFrom));
  const notes = [...warningsIn(answer, flags), ...(isOpen ? [stillOpen(madeFrom, flags)] : [])];
  for (const note of new Set(notes)) output.note(`note: ${printable(note)}\n`);
  return ExitCode.Done;
}

type Answer = Readonly<Record<string, unknown>>;

/** For a person, who has commands and no tools. */
function importedWords({ sessionKey, phase, to }: Answer, flags: DataFlags): string {
  const back = cancelling(String(sessionKey), flags);
  const whose =
    phase === 'offered'
      ? `${named(String(to))} takes it with resume`
      : 'It waits for the next resume in this project';
  return `${named(String(sessionKey))}: ${whose}. To take it back: ${back}`;
}

function cancelling(key: string, flags: DataFlags, isClosing = false): string {
  const folder = namedFolder(flags);
  return shellLine(
    'cancel',
    [key],
    [
      ...(isClosing ? [['--close'] as const] : []),
      ...(folder === undefined ? [] : [['--data-dir', folder] as const]),
    ],
  );
}

/** Two sessions with the same work: somebody goes on with the old one. */
const stillOpen = (key: string, flags: DataFlags): string =>
  `${named(key)} is still open beside it. If it is the same work: ${cancelling(key, flags, true)}`;

export const saidIn = (file: string): HandOffArgs => readIn(file).said;

/** What a file says, as the arguments of a handoff, and the session that it was made from. */
function readIn(file: string): { readonly said: HandOffArgs; readonly madeFrom?: string } {
  const bytes = readMdFile(file, MAX_MD_BYTES);
  const notes = readMd(bytes);
  const said =
    typeof notes === 'string'
      ? notes
      : mdHandOff(notes, { name: basename(file), text: bytes.toString('utf8') });
  if (typeof said === 'string') throw refused(`${file} ${said}`);
  if (Object.keys(said).length === 0) throw refused(`${file} says nothing`);
  const madeFrom = typeof notes === 'string' ? undefined : notes.head?.session;
  return { said, ...(madeFrom !== undefined && { madeFrom }) };
}

/** As it is, but for what a tool can do next and a command cannot. */
function asCommand(answer: Answer, flags: DataFlags): Answer {
  const { warnings } = answer;
  if (!Array.isArray(warnings)) return answer;
  const told = warningsIn(answer, flags);
  return { ...answer, warnings: warnings.map((warning, i) => ({ ...warning, message: told[i] })) };
}

function warningsIn({ warnings, to }: Answer, flags: DataFlags): readonly string[] {
  if (!Array.isArray(warnings)) return [];
  return warnings.map(({ code, message, known, own }) => {
    if (code === 'TARGET_UNKNOWN') return unknownWords(String(to), known);
    return code === 'NEW_SESSION' && own !== undefined ? stillOpen(String(own), flags) : String(message);
  });
}

function unknownWords(to: string, known: unknown): string {
  const here =
    Array.isArray(known) && known.length > 0 ? ` Here were ${known.map(String).map(named).join(', ')}.` : '';
  return `nobody called ${named(to)} was ever here; it waits until somebody comes.${here}`;
}

/**
 * `handover capture`: records where a conversation stands. By hand it captures one conversation; with `--spool` it
 * captures what hooks have told.
 */
import { createHash, randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Captured } from '../../services/handoffs/capture-request.js';
import { acting } from '../conventions/acting.js';
import { ExitCode } from '../conventions/exit-code.js';
import { refused, wrongUsage } from '../conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  dataFolder,
  type JsonFlags,
  namedAgent,
  withAgent,
  withDataDir,
  withJson,
} from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printableLines } from '../conventions/printable.js';
import { requireUnixSockets } from '../unix-sockets.js';
import { CLIENTS, type HookClient } from './clients.js';
import { drain } from './drain.js';
import { withProject } from './hook.js';
import { type Capture, takeCapture } from './take-capture.js';
import { CaptureRefused, localTarget } from './target.js';

interface CaptureFlags extends DataFlags, AgentFlags, JsonFlags {
  readonly client?: HookClient;
  readonly transcript?: string;
  readonly project?: string;
  readonly park?: boolean;
  readonly dryRun?: boolean;
  readonly spool?: boolean;
}

export function describeCapture(command: Command): void {
  command.addOption(new Option('--client <name>', 'which client wrote the transcript').choices(CLIENTS));
  command.option(
    '--transcript <file>',
    "the conversation, in the client's own folder; else only git is captured",
  );
  withProject(command);
  command
    .option('--park', 'leave the session for whoever resumes next')
    .option('--dry-run', 'print what would be stored, and store nothing')
    .addOption(new Option('--spool', 'capture what hooks have told; they start this themselves').hideHelp());
  withAgent(command, 'for whom; else HANDOVER_AGENT_ID, else the name of the client');
  withJson(withDataDir(command));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotAllowed, ExitCode.NoServer];
  acting(command, exits, (output, flags: CaptureFlags) =>
    flags.spool ? captureSpool(flags) : captureByHand(flags, output),
  );
}

async function captureSpool(flags: CaptureFlags): Promise<ExitCode> {
  requireUnixSockets();
  const folder = dataFolder(flags);
  await drain(folder, localTarget(folder));
  return ExitCode.Done;
}

async function captureByHand(flags: CaptureFlags, { out }: Output): Promise<ExitCode> {
  const { client, transcript, json, park = false } = flags;
  if (client === undefined)
    throw wrongUsage('it is not said whose conversation', `Give --client ${CLIENTS.join(' or ')}`);
  const folder = resolve(flags.project ?? process.cwd());
  const session = sessionOf(transcript);
  const path = transcript === undefined ? undefined : resolve(transcript);
  const capture = await takeCapture({ client, event: 'manual', session, transcript: path, folder });
  if (capture.refused !== undefined) throw refused(`the transcript is not read: ${capture.refused}`);
  if (flags.dryRun) {
    out(json ? `${JSON.stringify({ stored: false, entry: capture.entry }, null, 2)}\n` : shown(capture));
    return ExitCode.Done;
  }
  requireUnixSockets();
  const target = localTarget(dataFolder(flags));
  const request = {
    ...{ client, clientSession: session, event: 'manual', ...capture.entry, park },
    // Whoever does it by hand means it.
    isWork: true,
    idempotencyKey: `capture:${randomUUID()}`,
    ...target.projectOf({ project: folder }),
  };
  const captured = await target.capture(namedAgent(flags) ?? client, request).catch((error: unknown) => {
    throw error instanceof CaptureRefused ? refused(error.message) : error;
  });
  if (json) out(`${JSON.stringify({ ...captured, entry: capture.entry }, null, 2)}\n`);
  else out(said(captured));
  return ExitCode.Done;
}

/** Clients name the file after the session: with a time before it, or with nothing else. */
function sessionOf(transcript: string | undefined): string {
  const name = basename(transcript ?? '', '.jsonl');
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}$/i.exec(name)?.[0];
  if (id !== undefined) return id;
  return createHash('sha256')
    .update(transcript ?? process.cwd())
    .digest('hex')
    .slice(0, 32);
}

function shown({ entry }: Capture): string {
  const { git } = entry.metadata.capture;
  const text = [entry.content, ...(git === undefined ? [] : ['## Git', git])].join('\n');
  return `${printableLines(text).join('\n')}\n`;
}

function said({ stored, sessionKey, sequenceNumber, parked, because }: Captured): string {
  if (!stored) return `Nothing is stored: ${because}\n`;
  const left = parked ? '; it is left for whoever resumes next' : '';
  return `Stored as entry ${sequenceNumber} of ${sessionKey}${left}\n`;
}

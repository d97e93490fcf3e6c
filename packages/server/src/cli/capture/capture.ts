/**
 * `handover capture`: records where a conversation stands. By hand it captures one conversation; with `--spool` it
 * captures what hooks have told.
 */
import { createHash, randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { BY_HAND, type Captured, type CaptureRequest } from '../../services/handoffs/capture-request.js';
import { acting } from '../conventions/acting.js';
import { ExitCode } from '../conventions/exit-code.js';
import { refused, wrongUsage } from '../conventions/failure.js';
import {
  type AgentFlags,
  type DataFlags,
  dataFolder,
  type JsonFlags,
  namedAgent,
  namedServer,
  ownDataFolder,
  type ServerFlags,
  withAgent,
  withDataDir,
  withJson,
  withServer,
} from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printableLines } from '../conventions/printable.js';
import { checkPlace, postApi, type RemotePlace } from '../remote/post-api.js';
import { requireUnixSockets } from '../unix-sockets.js';
import { CaptureRefused, type CaptureTarget } from './capture-target.js';
import { CLIENTS, type HookClient } from './clients.js';
import { drain } from './drain.js';
import { withProject } from './hook.js';
import { localTarget } from './local-target.js';
import { projectOf } from './project-of.js';
import { type Capture, takeCapture } from './take-capture.js';
import { targetOf } from './target-of.js';
import { watchSteps } from './watchdog.js';

interface CaptureFlags extends DataFlags, AgentFlags, ServerFlags, JsonFlags {
  readonly client?: HookClient;
  readonly transcript?: string;
  readonly project?: string;
  readonly park?: boolean;
  readonly diff?: boolean;
  readonly dryRun?: boolean;
  readonly spool?: boolean;
}

const POST_MS = 30_000;
/** One event: reading, and asking a server twice. */
const STEP_MS = 120_000;

export function describeCapture(command: Command): void {
  command.addOption(new Option('--client <name>', 'which client wrote the transcript').choices(CLIENTS));
  command.option(
    '--transcript <file>',
    "the conversation, in the client's own folder; else only git is captured",
  );
  withProject(command);
  command
    .option('--park', 'leave the session for whoever resumes next')
    .option('--diff', 'add what git has not committed, redacted, as a file of at most 256 KiB')
    .option('--dry-run', 'print what would be stored, and store nothing')
    .addOption(new Option('--spool', 'capture what hooks have told; they start this themselves').hideHelp());
  withAgent(
    command,
    'for whom; else HANDOVER_AGENT_ID, else the name of the client, or with --server whose token it is',
  );
  withServer(withJson(withDataDir(command)));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotAllowed, ExitCode.NoServer];
  acting(command, exits, (output, flags: CaptureFlags) =>
    flags.spool ? captureSpool(flags) : captureByHand(flags, output),
  );
}

async function captureSpool(flags: CaptureFlags): Promise<ExitCode> {
  const folder = dataFolder(flags);
  await drain(folder, (event) => targetOf(folder, event), watchSteps(STEP_MS));
  return ExitCode.Done;
}

async function captureByHand(flags: CaptureFlags, { out }: Output): Promise<ExitCode> {
  const { client, transcript, json, park = false } = flags;
  if (client === undefined)
    throw wrongUsage('it is not said whose conversation', `Give --client ${CLIENTS.join(' or ')}`);
  const target = targetNamed(flags, client);
  const folder = resolve(flags.project ?? process.cwd());
  const session = sessionOf(transcript);
  const path = transcript === undefined ? undefined : resolve(transcript);
  const diff = flags.diff ?? false;
  const capture = await takeCapture({ client, event: BY_HAND, session, transcript: path, folder, diff });
  if (capture.refused !== undefined) throw refused(`the transcript is not read: ${capture.refused}`);
  const { entry, patch } = capture;
  const shown = { entry, ...(patch !== undefined && { patch }) };
  if (flags.dryRun) {
    out(json ? `${JSON.stringify({ stored: false, ...shown }, null, 2)}\n` : textOf(capture));
    return ExitCode.Done;
  }
  const request = {
    ...{ client, clientSession: session, event: BY_HAND, ...entry, park },
    // Whoever does it by hand means it.
    isWork: true,
    idempotencyKey: `capture:${randomUUID()}`,
    ...(patch !== undefined && { patch }),
    ...projectOf({ project: folder }),
  };
  const captured = await target().capture(request);
  if (json) out(`${JSON.stringify({ ...captured, ...shown }, null, 2)}\n`);
  else out(said(captured));
  return ExitCode.Done;
}

/** What is wrong with the flags is said before anything is read; a server of this machine is needed only to store. */
function targetNamed(flags: CaptureFlags, client: HookClient): () => Pick<CaptureTarget, 'capture'> {
  const place = namedServer(flags);
  const agent = namedAgent(flags);
  if (place) {
    const from = { ...place, ...(agent !== undefined && { agent }) };
    checkPlace(from);
    return () => ({ capture: (request) => postByHand(from, request) });
  }
  return () => {
    requireUnixSockets();
    const target = localTarget(ownDataFolder(flags), agent ?? client);
    const capture = (request: CaptureRequest) =>
      target.capture(request).catch((error: unknown) => {
        throw error instanceof CaptureRefused ? refused(error.message) : error;
      });
    return { capture };
  };
}

/** Somebody is there to read why it failed, so nothing is left out to make it succeed. */
async function postByHand(place: RemotePlace, request: CaptureRequest): Promise<Captured> {
  const answer = await postApi(place, 'capture', request, POST_MS);
  if (answer.kind !== 'done') throw answer.why;
  return answer.value as Captured;
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

function textOf({ entry, patch }: Capture): string {
  const { git } = entry.metadata.capture;
  const parts = [
    entry.content,
    ...(git === undefined ? [] : ['## Git', git]),
    ...(patch === undefined ? [] : ['## Patch', patch]),
  ];
  return `${printableLines(parts.join('\n')).join('\n')}\n`;
}

function said({ stored, sessionKey, sequenceNumber, parked, because }: Captured): string {
  if (!stored) return `Nothing is stored: ${because}\n`;
  const kept = because === undefined ? '' : `; it is not left for others: ${because}`;
  const left = parked ? '; it is left for whoever resumes next' : kept;
  return `Stored as entry ${sequenceNumber} of ${sessionKey}${left}\n`;
}

/**
 * `handover take KEY --to AGENT`: a person gives the work of an assistant that is silent, or gone, to another one. The
 * server of the data folder does it, and is started when it does not run.
 */

import { randomUUID } from 'node:crypto';
import { named, type Rejection, RejectionCode } from '@handover/core';
import type { Command } from 'commander';
import { AGENT_NAME_RULE, isAgentName } from '../auth/agent-name.js';
import { readConfiguration } from '../config/configuration.js';
import { iso } from '../platform/iso.js';
import type {
  TakenAnswer,
  TakeRefused,
  TakeRequest,
  TakerUnknown,
} from '../services/handoffs/take/take-visit.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import {
  type CommandFailure,
  conflict,
  notAllowed,
  notFound,
  refused,
  settingsOf,
  wrongUsage,
} from './conventions/failure.js';
import {
  type DataFlags,
  type JsonFlags,
  ownDataFolder,
  withDataDir,
  withJson,
  withTenant,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { didYouMean } from './conventions/usage.js';
import { serverEnvironment, visitOrStart } from './local-server.js';
import { requireData } from './require-data.js';
import { requireUnixSockets } from './unix-sockets.js';

interface TakeFlags extends DataFlags, JsonFlags {
  readonly to: string;
  readonly reason?: string;
  readonly now?: boolean;
  readonly force?: boolean;
  readonly tenant: string;
}

const MAX_REASON = 4_096;
/** Of agents that may have been meant. */
const NAMED = 3;

export function describeTake(command: Command): void {
  command
    .argument('<key>', 'the key of the working session')
    .requiredOption('--to <agent>', 'who gets it')
    .option('--reason <text>', 'why, for the record')
    .option('--now', 'also from an owner that is not silent yet; an offer under way is cancelled')
    .option('--force', 'also to a name that nobody ever had here');
  withJson(withDataDir(withTenant(command)));
  const exits = [
    ...[ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound],
    ...[ExitCode.NotAllowed, ExitCode.NoServer, ExitCode.Conflict],
  ];
  acting(command, exits, (output, key: string, flags: TakeFlags) => take(key, flags, output));
}

async function take(sessionKey: string, flags: TakeFlags, { out, note }: Output): Promise<ExitCode> {
  requireUnixSockets();
  const { to, reason, now = false, force = false, tenant } = flags;
  if (!isAgentName(to)) throw wrongUsage(`the name in --to must be ${AGENT_NAME_RULE}`);
  if (reason !== undefined && reason.length > MAX_REASON)
    throw wrongUsage(`--reason may have ${MAX_REASON} characters`);
  const folder = ownDataFolder(flags);
  // A folder that was misspelt is not made.
  await requireData(folder);
  refuseWhereOff(folder);
  const said = reason === undefined ? {} : { reason };
  const body: TakeRequest = {
    tenant,
    sessionKey,
    to,
    now,
    force,
    ...said,
    idempotencyKey: `take:${randomUUID()}`,
  };
  const { socket, answer } = await visitOrStart(folder, { wanted: 'take', body });
  socket.destroy();
  const taken = answer as TakenAnswer | TakeRefused | TakerUnknown;
  if ('refused' in taken) throw failureOf(taken, body);
  if (!('handoffId' in taken)) throw unknownTaker(to, taken.known);
  if (taken.known)
    note(`handover: nobody called ${named(to)} was ever here. The work is its all the same.\n`);
  out(flags.json ? `${JSON.stringify(asJson(taken), null, 2)}\n` : takenText(taken));
  return ExitCode.Done;
}

/** The server may run with other settings, or be started with these: whoever has said "off" here is not overruled by it. */
function refuseWhereOff(folder: string): void {
  const flags = { forAssistants: true, dataDir: folder };
  const { taking } = settingsOf(() => readConfiguration(serverEnvironment(), flags));
  if (taking.takeOver === 'off')
    throw notAllowed(
      'nobody takes work over here (HANDOVER_TAKEOVER=off in this environment)',
      'Its owner can hand it over',
    );
}

const asJson = ({ silentSince, takenAt, known, ...taken }: TakenAnswer) => ({
  ...taken,
  silentSince: iso(silentSince),
  takenAt: iso(takenAt),
  ...(known && { warnings: [{ code: 'TARGET_UNKNOWN', known }] }),
});

const takenText = ({ sessionKey, handoffId, from, to, silentSince }: TakenAnswer): string =>
  `${named(sessionKey)} is ${named(to)}'s now (handoff ${handoffId}). It was ${named(from)}'s, silent since ${iso(silentSince)}.\n` +
  `${named(to)} goes on with resume. ${named(from)} may still run in another window: close it, or look at git status first.\n`;

const unknownTaker = (to: string, known: readonly string[]): CommandFailure =>
  notFound(
    `nobody called ${named(to)} was ever here`,
    `${known.length === 0 ? '' : `Here were ${known.slice(0, NAMED).map(named).join(', ')}. `}--force gives it to ${named(to)} all the same`,
  );

function failureOf(
  { refused: rejection, near = [] }: TakeRefused,
  { sessionKey }: TakeRequest,
): CommandFailure {
  const { code, message } = rejection;
  switch (code) {
    case RejectionCode.SESSION_NOT_FOUND:
      return notFound(
        `there is no working session ${named(sessionKey)}`,
        `${didYouMean(sessionKey, near)}listSessions in the assistant that had it shows its key`,
      );
    case RejectionCode.FORBIDDEN:
      return notAllowed(message, waitText(rejection));
    case RejectionCode.SESSION_EXPIRED:
      return conflict(`the session is ${detail(rejection, 'currentStatus')}`, endedText(rejection));
    case RejectionCode.CONFLICT:
      return conflict(message);
    case RejectionCode.VALIDATION_ERROR:
      // Whoever is named has it already.
      return detail(rejection, 'owner') === '' ? refused(message) : conflict(message);
    default:
      return refused(message);
  }
}

function waitText(rejection: Rejection): string {
  const possibleAt = detail(rejection, 'possibleAt');
  return possibleAt === '' ? '' : `Wait until ${possibleAt}, or give --now`;
}

const endedText = (rejection: Rejection): string =>
  detail(rejection, 'currentStatus') === 'completed'
    ? 'There is nothing to take; its owner can open it again with resume'
    : 'There is nothing to take; what it holds can still be read';

const detail = ({ details }: Rejection, name: string): string => String(details?.[name] ?? '');

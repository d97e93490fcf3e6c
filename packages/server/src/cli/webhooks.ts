/** `handover webhooks dead`: what could not be delivered, newest last; from the running server, else from its file. */

import type { Command } from 'commander';
import { visitServer } from '../doors/socket/local-client.js';
import { readDeadLetters } from '../effects/webhooks/outbox.js';
import type { DeadLetter } from '../effects/webhooks/types.js';
import { iso } from '../platform/iso.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import {
  type DataFlags,
  type JsonFlags,
  ownDataFolder,
  withDataDir,
  withJson,
  withTimeout,
} from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { printable } from './conventions/printable.js';

type DeadFlags = DataFlags & JsonFlags & { readonly timeout: number };

const TIMEOUT_SECS = 5;

export function describeWebhooks(webhooks: Command): void {
  const command = webhooks
    .helpCommand(false)
    .command('dead')
    .description('Show what was given up after the last attempt.');
  withJson(withDataDir(withTimeout(command, TIMEOUT_SECS)));
  acting(command, [ExitCode.Failed, ExitCode.Usage], (output, flags: DeadFlags) => dead(flags, output));
}

async function dead(flags: DeadFlags, { out }: Output): Promise<ExitCode> {
  const folder = ownDataFolder(flags);
  const visit = await visitServer(folder, { wanted: 'dead-webhooks' }, flags.timeout * 1_000);
  const letters = visit.kind === 'open' ? (visit.answer as readonly DeadLetter[]) : readDeadLetters(folder);
  if (visit.kind === 'open') visit.socket.destroy();
  const text = flags.json ? JSON.stringify({ dead: letters }, null, 2) : letters.map(line).join('\n');
  out(text === '' ? 'Nothing was given up.\n' : `${text}\n`);
  return ExitCode.Done;
}

function line({ event, url, attempts, failedAt, reason }: DeadLetter): string {
  const when = iso(failedAt);
  return printable(`${when}  ${event.type}  ${aboutOf(event)}  ${url}  ${attempts} attempts: ${reason}`);
}

function aboutOf({ data }: DeadLetter['event']): string {
  if ('handoffId' in data) return data.handoffId;
  return 'operationId' in data ? data.operationId : data.sessionKey;
}

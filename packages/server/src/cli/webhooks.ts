/** `handover webhooks dead`: what could not be delivered, newest last; from the running server, else from its file. */

import type { Command } from 'commander';
import { visitServer } from '../doors/socket/local-client.js';
import { readDeadLetters } from '../effects/webhooks/outbox.js';
import type { DeadLetter } from '../effects/webhooks/types.js';
import { iso } from '../platform/iso.js';
import { localFolder } from './local-flags.js';

interface DeadFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
}

const TIMEOUT_MS = 5_000;

export function addWebhooksCommand(program: Command): void {
  const webhooks = program.command('webhooks').description('What became of outgoing webhooks.');
  webhooks
    .command('dead')
    .description('Show what was given up after the last attempt.')
    .option('--json', 'as JSON')
    .option('--data-dir <folder>', 'where the log lives')
    .action((flags: DeadFlags) => dead(flags));
}

async function dead(flags: DeadFlags): Promise<void> {
  const folder = localFolder(flags);
  const visit = await visitServer(folder, { wanted: 'dead-webhooks' }, TIMEOUT_MS);
  const letters = visit.kind === 'open' ? (visit.answer as readonly DeadLetter[]) : readDeadLetters(folder);
  if (visit.kind === 'open') visit.socket.destroy();
  const text = flags.json ? JSON.stringify({ dead: letters }, null, 2) : letters.map(line).join('\n');
  process.stdout.write(text === '' ? 'Nothing was given up.\n' : `${text}\n`);
}

function line({ event, url, attempts, failedAt, reason }: DeadLetter): string {
  const when = iso(failedAt);
  const { data } = event;
  const about = 'handoffId' in data ? data.handoffId : data.operationId;
  return `${when}  ${event.type}  ${about}  ${url}  ${attempts} attempts: ${reason}`;
}

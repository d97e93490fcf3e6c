/** `handover uninstall`: takes out what `install` put in and nobody changed since, and says what is left. */
import { shellLine } from '@handover/core';
import type { Command } from 'commander';
import { openDataFolder } from '../../store/open-data-folder.js';
import { acting } from '../conventions/acting.js';
import { ExitCode } from '../conventions/exit-code.js';
import { namedFolder, ownDataFolder, withDataDir, withJson } from '../conventions/flags.js';
import type { Output } from '../conventions/output.js';
import { printable } from '../conventions/printable.js';
import { applyTakes } from './apply.js';
import type { Client } from './client.js';
import { CLIENTS, clientNamed } from './clients.js';
import { identityOf, piecesOf, type ScopeFlags, wantedFor, withScope } from './options.js';
import { type Problem, planTakes } from './plan-files.js';
import { planRemove } from './plan-part.js';
import { type Insertion, readRecord } from './record.js';
import { withRecordLock } from './record-lock.js';
import { type Outcome, reportJson, reportText } from './report.js';

export function describeUninstall(command: Command): void {
  command.argument('<client>', CLIENTS.map(({ name }) => name).join(', '));
  withJson(withDataDir(withScope(command)));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.Conflict];
  acting(command, exits, (output, name: string, flags: ScopeFlags) =>
    uninstall(clientNamed(name), flags, output),
  );
}

async function uninstall(client: Client, flags: ScopeFlags, output: Output): Promise<ExitCode> {
  const folder = ownDataFolder(flags);
  if (!flags.dryRun) openDataFolder(folder, 'local');
  const { outcome, left } = flags.dryRun
    ? take(client, flags, folder)
    : await withRecordLock(folder, () => take(client, flags, folder));
  if (flags.json) output.out(reportJson(outcome));
  else reportText(outcome, output);
  return left.length === 0 ? ExitCode.Done : ExitCode.Failed;
}

function take(client: Client, flags: ScopeFlags, folder: string) {
  const dryRun = flags.dryRun ?? false;
  const before = readRecord(folder);
  const wanted = wantedFor(client, flags, before);
  const who = identityOf(client, wanted);
  const pieces = piecesOf(client, wanted);
  const found = client.part?.(wanted);
  const part = found && planRemove(found, who, before, wanted.env);
  const isProblem = part !== undefined && 'why' in part;
  const again = `"handover uninstall ${client.name}" again goes on`;
  const plan = (known: readonly Insertion[]) => planTakes(pieces, who, known);
  const job = { folder, part: isProblem ? undefined : part, whole: false, again, plan };
  const files = dryRun ? plan(before) : applyTakes(job);
  const left = [...(isProblem ? [part] : (part?.left ?? [])), ...files.problems];
  const isLast = !dryRun && readRecord(folder).length === 0;
  const notes = [...left.map((problem) => sentence(problem)), ...(isLast ? [stays(folder, flags)] : [])];
  const outcome: Outcome = { client, wanted, files, part: job.part, dryRun, notes };
  return { outcome, left };
}

/** The last one is out: what is left is what was recorded, conversations among it, as plain text. */
function stays(folder: string, flags: ScopeFlags): string {
  const named = namedFolder(flags);
  const stop = shellLine('stop', [], named === undefined ? [] : [['--data-dir', named]]);
  return printable(
    `What was recorded stays in ${folder}. To remove it for good: ${stop}, then delete that folder.`,
  );
}

const sentence = ({ file, why }: Problem): string => printable(`Left as it is: ${file} ${why}.`);

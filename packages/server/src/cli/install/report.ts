/** What was done, or would be, for people and for programs. */
import { shellWord } from '@handover/core';
import type { Output } from '../conventions/output.js';
import { printable } from '../conventions/printable.js';
import type { Client, Wanted } from './client.js';
import type { FilePlan, PieceState } from './plan-files.js';
import type { PartPlan } from './plan-part.js';
import { unifiedDiff } from './unified-diff.js';

export interface Outcome {
  readonly client: Client;
  readonly wanted: Wanted;
  readonly files: FilePlan;
  readonly part: PartPlan | undefined;
  readonly dryRun: boolean;
  readonly notes: readonly string[];
}

const WORDS: Readonly<Record<PieceState, string>> = {
  same: 'unchanged',
  added: 'added',
  replaced: 'replaced',
  removed: 'removed',
  gone: 'not there',
  left: 'left',
};

export function reportJson({ client, wanted, files, part, dryRun, notes }: Outcome): string {
  const runs = part?.runs ?? [];
  const document = {
    client: client.name,
    scope: wanted.scope,
    ...(wanted.launch.agent !== '' && { agent: wanted.launch.agent }),
    ...(wanted.launch.elsewhere && { server: wanted.launch.elsewhere.server }),
    dryRun,
    changes: rows(files, part),
    ...(runs.length > 0 && { runs: runs.map((args) => [part?.part.program, ...args]) }),
    ...(dryRun && { diffs: files.changes.map(unifiedDiff).filter((diff) => diff !== '') }),
    notes,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

export function reportText(outcome: Outcome, { out, note }: Output): void {
  const { files, part, dryRun, notes } = outcome;
  if (dryRun) {
    for (const args of part?.runs ?? [])
      out(`would run: ${printable([part?.part.program ?? '', ...args].map(shellWord).join(' '))}\n`);
    for (const change of files.changes) out(printableDiff(unifiedDiff(change)));
    note('Nothing was changed.\n');
    return;
  }
  out(`${titleOf(outcome)}\n`);
  for (const { file, what, state } of rows(files, part))
    out(`  ${WORDS[state].padEnd(10)} ${what.padEnd(18)} ${printable(file)}\n`);
  if (rows(files, part).length === 0) out('  nothing of ours is there\n');
  for (const text of notes) out(`${printable(text)}\n`);
}

/** Tabs and the line ends of Windows are part of what a tool applies. */
const printableDiff = (diff: string): string =>
  diff
    .split(/(\t|\r?\n)/)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('');

function titleOf({ client, wanted: { scope, project, launch } }: Outcome): string {
  const where = scope === 'user' ? 'for this user' : `in ${project}`;
  const to = launch.elsewhere ? `, to ${launch.elsewhere.server}` : '';
  // Without a name it is whose token it is.
  const as = launch.agent === '' ? '' : `, as agent ${launch.agent}`;
  return printable(`${client.title}, ${where}${to}${as}:`);
}

function rows(files: FilePlan, part: PartPlan | undefined) {
  const program = part ? [{ file: part.part.file, what: 'MCP entry', state: part.state }] : [];
  const pieces = files.changes.flatMap((change) =>
    change.pieces.map(({ piece, state }) => ({ file: piece.path, what: piece.what, state })),
  );
  return [...program, ...pieces];
}

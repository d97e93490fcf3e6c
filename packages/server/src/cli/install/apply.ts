/**
 * Does what was planned, or what a new plan says where somebody else wrote to a file meanwhile.
 *
 * A1. Nothing is done while the plan has a problem.
 * A2. The record names everything before anything is changed, with the digests from before and after.
 * A3. Programs of clients go first: what fails most often leaves the files alone.
 */

import { systemCause } from '../../platform/system-cause.js';
import { ExitCode } from '../conventions/exit-code.js';
import { CommandFailure, refused } from '../conventions/failure.js';
import {
  dropBackup,
  FileMoved,
  removeClientFile,
  restoreClientFile,
  writeClientFile,
} from './client-file.js';
import { oneSnippet } from './one-snippet.js';
import type { FileChange, FilePlan, Problem } from './plan-files.js';
import type { PartPlan } from './plan-part.js';
import { runProgram } from './programs.js';
import { type Insertion, isSamePlace, readRecord, writeRecord } from './record.js';

const ATTEMPTS = 5;

export interface Job {
  readonly folder: string;
  readonly part: PartPlan | undefined;
  plan(known: readonly Insertion[]): FilePlan;
  /** All or nothing; else what cannot be done is left. */
  readonly whole: boolean;
  /** What the user does when it stopped half-way. */
  readonly again: string;
}

export function applyPuts(job: Job, newMode: number): FilePlan {
  const before = readRecord(job.folder);
  const first = job.plan(before);
  refuseProblems(first.problems);
  const parts = job.part ? [job.part.insertion] : [];
  writeRecord(job.folder, [...parts, ...first.insertions].reduce(withBoth, before));
  runPart(job, () => writeRecord(job.folder, before));
  const done = writing(job, first, (change) => {
    if (change.after !== undefined) writeClientFile(change.file, change.after, newMode, change.isFree);
  });
  writeRecord(job.folder, [...parts, ...done.insertions].reduce(withThis, readRecord(job.folder)));
  return { ...first, insertions: done.insertions };
}

export function applyTakes(job: Job): FilePlan {
  const first = job.plan(readRecord(job.folder));
  runPart(job, () => undefined);
  const done = writing(job, first, (change) => {
    if (change.after === undefined) removeClientFile(change.file, change.folder);
    else restoreClientFile(change.file, change.after);
  });
  for (const { file, isFree } of done.changes) if (isFree) dropBackup(file);
  const gone = [...(job.part ? [job.part.insertion] : []), ...done.insertions];
  const isGone = (one: Insertion) => gone.some((other) => isSamePlace(one, other));
  writeRecord(
    job.folder,
    readRecord(job.folder).filter((one) => !isGone(one)),
  );
  return first;
}

export function refuseProblems(problems: readonly Problem[], lead = 'nothing was changed:'): void {
  if (problems.length === 0) return;
  const files = [...new Set(problems.map(({ file, why }) => `  ${file} ${why}.`))];
  // What cannot be put into one file, however many pieces it is, a person puts there once.
  const snippets = [...new Set(problems.map(({ file }) => file))].flatMap((file) => {
    const own = problems.flatMap((one) =>
      one.file === file && one.snippet !== undefined ? [one.snippet] : [],
    );
    return own.length === 0 ? [] : [`To put it there by hand, ${file}:`, oneSnippet(own).trimEnd()];
  });
  throw refused([lead, ...files, ...snippets].join('\n'));
}

/** Only files that differ are touched. */
function writing(job: Job, first: FilePlan, write: (change: FileChange) => void): FilePlan {
  let plan = first;
  for (let attempt = 1; ; attempt += 1) {
    try {
      for (const change of plan.changes) if (change.after !== change.file.text) write(change);
      return plan;
    } catch (thrown) {
      if (!(thrown instanceof FileMoved)) throw half(thrown, job);
      if (attempt === ATTEMPTS) throw busy(thrown, job);
      plan = job.plan(readRecord(job.folder));
      if (job.whole)
        refuseProblems(plan.problems, 'somebody else changed files meanwhile; not all is written:');
    }
  }
}

function half(thrown: unknown, { again }: Job): unknown {
  const cause = systemCause(thrown);
  if (cause === undefined) return thrown;
  const path = thrown instanceof Error && 'path' in thrown ? `${String(thrown.path)}: ` : '';
  return refused(`${path}${cause}`, again, thrown);
}

const busy = (moved: FileMoved, { again }: Job) =>
  new CommandFailure(
    ExitCode.Conflict,
    'CONFLICT',
    `${moved.message} is changed all the time by somebody else`,
    again,
  );

function runPart({ part }: Job, undo: () => void): void {
  if (part?.program === undefined) return;
  for (const args of part.runs) {
    const { ok, said } = runProgram(part.program, args);
    if (ok) continue;
    undo();
    throw refused(
      `${part.part.program} ${args.slice(0, 2).join(' ')} failed, and nothing else was changed: ${said}`,
    );
  }
}

function withThis(all: readonly Insertion[], one: Insertion): readonly Insertion[] {
  return [...all.filter((other) => !isSamePlace(other, one)), one];
}

function withBoth(all: readonly Insertion[], one: Insertion): readonly Insertion[] {
  const before = all.find((other) => isSamePlace(other, one))?.mark.digests ?? [];
  const digests = [...new Set([...one.mark.digests, ...before])];
  return withThis(all, { ...one, mark: { ...one.mark, digests } });
}

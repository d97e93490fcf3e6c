/** What a client's own program would be told. It is asked for nothing here; its file is only read. */
import { shellWord } from '@handover/core';
import type { Environment } from '../../config/setting-reader.js';
import type { ProgramPart } from './client.js';
import { digestOfValue } from './edit/digest.js';
import type { ServerCommand } from './launch.js';
import type { PieceState, Problem } from './plan-files.js';
import { findProgram } from './programs.js';
import { type Identity, type Insertion, isSamePlace } from './record.js';

export interface PartPlan {
  readonly part: ProgramPart;
  readonly state: PieceState;
  /** Where the program is; absent where nothing has to be run. */
  readonly program?: string;
  readonly runs: readonly (readonly string[])[];
  readonly insertion: Insertion;
  /** What the user has to do. */
  readonly left?: readonly Problem[];
}

const PLACE = 'program';
const digestOf = ({ command, args }: ServerCommand): string => digestOfValue({ command, args });

export function planAdd(
  part: ProgramPart,
  who: Identity,
  known: readonly Insertion[],
  env: Environment,
): PartPlan | Problem {
  const digest = digestOf(part.value);
  const present = part.present();
  const insertion = insertionOf(part, who, digest);
  const isSame = present !== undefined && digestOf(present) === digest;
  if (isSame) return { part, state: 'same', runs: [], insertion };
  if (present && !isKnown(present, part, who, known))
    return { file: part.file, why: 'has an entry "handover" that this command did not write' };
  const program = findProgram(part.program, env);
  if (program === undefined) return missingProgram(part, part.add, ELSE_PROJECT);
  const replaced = present && part.remove ? [part.remove] : [];
  return { part, state: present ? 'replaced' : 'added', program, runs: [...replaced, part.add], insertion };
}

/** Undefined: nothing of ours is known to be there. */
export function planRemove(
  part: ProgramPart,
  who: Identity,
  known: readonly Insertion[],
  env: Environment,
): PartPlan | Problem | undefined {
  const recorded = known.find((one) => isSamePlace(one, placeOf(part, who)));
  const present = part.present();
  const insertion = recorded ?? insertionOf(part, who, digestOf(part.value));
  if (part.remove === undefined)
    return recorded && { part, state: 'left', runs: [], insertion, left: [byHand(part)] };
  if (present === undefined) return recorded && { part, state: 'gone', runs: [], insertion };
  if (!isKnown(present, part, who, known) && digestOf(present) !== digestOf(part.value))
    return { file: part.file, why: 'has an entry "handover" that this command did not write' };
  const program = findProgram(part.program, env);
  if (program === undefined) return missingProgram(part, part.remove);
  return { part, state: 'removed', program, runs: [part.remove], insertion };
}

const placeOf = ({ file }: ProgramPart, { client }: Identity) => ({ client, file, place: PLACE });

const isKnown = (
  present: ServerCommand,
  part: ProgramPart,
  who: Identity,
  known: readonly Insertion[],
): boolean =>
  known.some((one) => isSamePlace(one, placeOf(part, who)) && one.mark.digests.includes(digestOf(present)));

const insertionOf = (part: ProgramPart, who: Identity, digest: string): Insertion => ({
  ...who,
  file: part.file,
  place: PLACE,
  mark: { digests: [digest], lead: '', tail: '', made: 0 },
  fileMade: false,
});

const byHand = ({ file, byHand: how }: ProgramPart): Problem => ({
  file,
  why: `cannot be changed from here: ${how}`,
});

/** A project's entry is a file, which needs no program. */
const ELSE_PROJECT = ', or install for one project, in its folder, with --scope project';

const missingProgram = ({ program }: ProgramPart, args: readonly string[], otherwise = ''): Problem => ({
  file: program,
  why: `is not on PATH, and only it changes its configuration; where it is, run this command again, or the line below for the server alone${otherwise}`,
  snippet: [program, ...args].map(shellWord).join(' '),
});

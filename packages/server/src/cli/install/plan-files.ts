/** What would change in which file. Nothing is written here. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ClientFile, readClientFile } from './client-file.js';
import type { Mark, Text } from './edit/edit.js';
import type { Piece } from './piece.js';
import { type Identity, type Insertion, isSamePlace } from './record.js';

export interface Problem {
  readonly file: string;
  /** The end of a sentence that begins with the file. */
  readonly why: string;
  /** What a person can put there. */
  readonly snippet?: string;
}

export type PieceState = 'same' | 'added' | 'replaced' | 'removed' | 'gone' | 'left';

export interface PieceChange {
  readonly piece: Piece;
  readonly state: PieceState;
}

export interface FileChange {
  readonly file: ClientFile;
  readonly after: Text;
  readonly pieces: readonly PieceChange[];
  /** The first folder that has to be made for it. */
  readonly folder?: string;
  /** Nothing of ours is in the file: before something is put in, or after it was taken out. */
  readonly isFree: boolean;
}

export interface FilePlan {
  readonly changes: readonly FileChange[];
  readonly insertions: readonly Insertion[];
  readonly problems: readonly Problem[];
}

export function planPuts(pieces: readonly Piece[], who: Identity, known: readonly Insertion[]): FilePlan {
  return merged(byFile(pieces).map((group) => putsIn(group, who, known)));
}

function putsIn(pieces: readonly Piece[], who: Identity, known: readonly Insertion[]): FilePlan {
  const [first] = pieces;
  const file = first && readClientFile(first);
  if (file === undefined) return NOTHING;
  if (file.kind === 'refused') return refusedAll(pieces, file.why);
  const folder = file.text === undefined ? firstMissing(file.path) : undefined;
  let after = file.text;
  const done: PieceChange[] = [];
  const insertions: Insertion[] = [];
  const problems: Problem[] = [];
  for (const piece of pieces) {
    const before = markedAs(piece, who, known);
    const put = piece.put(after, before?.mark);
    if (put.kind === 'refused') {
      problems.push({ file: piece.path, why: put.why, snippet: piece.snippet });
      continue;
    }
    after = put.text;
    done.push({ piece, state: put.kind });
    insertions.push({
      ...who,
      file: piece.path,
      place: piece.place,
      mark: { ...put.mark, digests: [...put.mark.digests] },
      fileMade: before?.fileMade ?? file.text === undefined,
      ...made(before?.folderMade ?? folder),
    });
  }
  const isFree = done.every(({ state }) => state === 'added');
  const change = { file, after, pieces: done, isFree, ...(folder && { folder }) };
  return { changes: [change], insertions, problems };
}

const made = (folder: string | undefined) => (folder === undefined ? {} : { folderMade: folder });

/** `insertions`: those that are taken out or gone. */
export function planTakes(pieces: readonly Piece[], who: Identity, known: readonly Insertion[]): FilePlan {
  return merged(byFile(pieces).map((group) => takesIn(group, who, known)));
}

function takesIn(pieces: readonly Piece[], who: Identity, known: readonly Insertion[]): FilePlan {
  const [first] = pieces;
  const file = first && readClientFile(first);
  if (file === undefined) return NOTHING;
  // A file that cannot be read says nothing of what is in it: only what we know to be there is missed.
  const recorded = pieces.filter((piece) => markedAs(piece, who, known));
  if (file.kind === 'refused') return refusedAll(recorded, file.why);
  let after = file.text;
  const done: PieceChange[] = [];
  const problems: Problem[] = [];
  const insertions: Insertion[] = [];
  // What was put last is taken first: then each finds around it what it was put into.
  for (const piece of [...pieces].reverse()) {
    const before = markedAs(piece, who, known);
    const taken = piece.take(after, before?.mark ?? unrecorded(piece));
    if (taken.kind === 'refused') {
      problems.push({ file: piece.path, why: taken.why });
      continue;
    }
    after = taken.text;
    done.push({ piece, state: taken.kind });
    if (before) insertions.push(before);
  }
  const isEmpty = after === undefined || after === '';
  const isOurs = insertions.some(({ fileMade }) => fileMade);
  const folder = insertions.find(({ folderMade }) => folderMade)?.folderMade;
  const wasHere = insertions.length > 0 || done.some(({ state }) => state === 'removed');
  const isFree = wasHere && problems.length === 0;
  const change = { file, after: isEmpty && isOurs ? undefined : after, pieces: done.reverse(), isFree };
  return { changes: [{ ...change, ...(folder && { folder }) }], insertions, problems };
}

/** Without a record, what is exactly as it would be written now is ours all the same. */
const unrecorded = ({ digest }: Piece): Mark => ({ digests: [digest], lead: '', tail: '', made: 0 });

const markedAs = (piece: Piece, { client }: Identity, known: readonly Insertion[]): Insertion | undefined =>
  known.find((one) => isSamePlace(one, { client, file: piece.path, place: piece.place }));

const NOTHING: FilePlan = { changes: [], insertions: [], problems: [] };

const refusedAll = (pieces: readonly Piece[], why: string): FilePlan => ({
  ...NOTHING,
  problems: pieces.map(({ path, snippet }) => ({ file: path, why, snippet })),
});

const byFile = (pieces: readonly Piece[]): readonly (readonly Piece[])[] => {
  const paths = [...new Set(pieces.map(({ path }) => path))];
  return paths.map((path) => pieces.filter((piece) => piece.path === path));
};

const merged = (plans: readonly FilePlan[]): FilePlan => ({
  changes: plans.flatMap(({ changes }) => changes),
  insertions: plans.flatMap(({ insertions }) => insertions),
  problems: plans.flatMap(({ problems }) => problems),
});

function firstMissing(path: string): string | undefined {
  const above = dirname(path);
  if (statSync(above, { throwIfNoEntry: false })) return undefined;
  return firstMissing(above) ?? above;
}

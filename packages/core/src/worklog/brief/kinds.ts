/** The kinds of notes, the other words for them, and the sections of a brief. */

export const NOTE_KINDS = ['goal', 'next', 'open', 'brief', 'decision', 'tried', 'done', 'file'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** What else a brief shows in turns with the notes: both come from captures. */
export type TurnKind = NoteKind | 'captured' | 'git';
/** In this order, round after round: what the next holder needs most comes first. */
export const TURNS: readonly TurnKind[] = [
  ...(['goal', 'next', 'brief', 'captured', 'open', 'decision', 'tried', 'git', 'file', 'done'] as const),
];

export type Section = TurnKind | 'errors' | 'marked' | 'first' | 'latest' | 'entries';
/** In the order of the text. */
export const SECTIONS: ReadonlyMap<Section, string> = new Map<Section, string>([
  ['goal', 'Goal'],
  ['next', 'Next'],
  ['open', 'Open'],
  ['brief', 'Brief'],
  ['decision', 'Decisions'],
  ['tried', 'Dead ends'],
  ['done', 'Done'],
  ['file', 'Files'],
  ['captured', 'Captured'],
  ['git', 'Git'],
  ['errors', 'Errors'],
  ['marked', 'Marked lines'],
  ['first', 'First entries'],
  ['latest', 'Latest entries'],
  ['entries', 'Entries'],
]);

/** Also accepted, in any case, and with blanks, `_` and `-` anywhere. */
export const OTHER_WORDS: Readonly<Record<NoteKind, readonly string[]>> = {
  goal: ['goals', 'objective'],
  next: ['nextstep', 'nextsteps'],
  open: ['todo', 'todos', 'question', 'questions', 'blocker', 'blockers'],
  brief: ['summary'],
  decision: ['decisions'],
  tried: ['deadend', 'deadends', 'failed', 'pitfall', 'pitfalls'],
  done: ['completed'],
  file: ['files'],
};
const WORDS: ReadonlyMap<string, NoteKind> = new Map(
  NOTE_KINDS.flatMap((kind) => [kind, ...OTHER_WORDS[kind]].map((word) => [word, kind] as const)),
);

/** `Next_Step`, `next steps` and `next` are one kind. */
export const kindOf = (word: string): NoteKind | undefined =>
  WORDS.get(word.toLowerCase().replace(/[\s_-]/g, ''));

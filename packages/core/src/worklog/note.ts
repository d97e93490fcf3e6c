/**
 * Notes: what an entry says for whoever takes the work over. The summary is made of notes alone; nothing is guessed
 * from other text. Two spellings in an entry's metadata:
 *
 *   { "note": { "decision": "SQLite, not Redis", "file": ["a.ts", "b.ts"], "supersedes": 4 } }
 *   { "note": "decision", "supersedes": 4 }      the entry's content is the text
 *
 * Anything else under these keys is ignored.
 */
import { isFields } from '../fields.js';
import type { Json, JsonObject } from '../log/json.js';

export const NOTE_KINDS = ['goal', 'decision', 'done', 'open', 'file', 'next'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export interface Note {
  /** Number of the entry that says it. */
  readonly number: number;
  readonly kind: NoteKind;
  readonly text: string;
}

/** One entry, as the summary sees it. */
export interface ContextFacts {
  readonly number: number;
  readonly contextType: string;
  readonly at: number;
  readonly content: string;
  readonly metadata: JsonObject;
}

export interface EntryNotes {
  readonly notes: readonly Note[];
  /** Numbers of earlier entries whose notes no longer count. */
  readonly supersedes: readonly number[];
}

/** A note is one line and is cut beyond this; the whole text stays in its entry. */
const MAX_NOTE_CHARACTERS = 600;

export function readNotes({ number, content, metadata }: ContextFacts): EntryNotes {
  const { note } = metadata;
  const source = isFields(note) ? note : metadata;
  const kind = NOTE_KINDS.find((known) => known === note);
  const said = kind
    ? [noteOf(number, kind, content)]
    : isFields(note)
      ? NOTE_KINDS.flatMap((known) => texts(note[known]).map((text) => noteOf(number, known, text)))
      : [];
  const supersedes = kind || isFields(note) ? numbers(source.supersedes) : [];
  return {
    notes: said.filter(({ text }) => text !== ''),
    // An entry can replace notes of earlier entries only.
    supersedes: supersedes.filter((earlier) => earlier < number),
  };
}

/** On one line, so that no note can look like a heading or another note. */
function noteOf(number: number, kind: NoteKind, said: string): Note {
  const line = said.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...line];
  const text =
    characters.length <= MAX_NOTE_CHARACTERS
      ? line
      : `${characters.slice(0, MAX_NOTE_CHARACTERS - 1).join('')}…`;
  return { number, kind, text };
}

function texts(value: Json | undefined): readonly string[] {
  return list(value).filter((item) => typeof item === 'string');
}

function numbers(value: Json | undefined): readonly number[] {
  return list(value).filter((item) => typeof item === 'number');
}

function list(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as Json];
}

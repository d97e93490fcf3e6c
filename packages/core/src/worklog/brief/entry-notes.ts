/**
 * What an entry says for whoever takes the work over. A handoff says it apart, in its own field; else there are two
 * spellings in its metadata:
 *
 *   { "note": { "decision": "SQLite, not Redis", "files": ["a.ts", "b.ts"], "supersedes": 4, "replaces": ["next"] } }
 *   { "note": "decision", "supersedes": 4 }      the entry's content is the text
 *
 * What it says about other notes may stand in the note or beside it. An entry that says nothing so is plain. What cannot be understood is told to whoever wrote it.
 */
import { type Fields, isFields } from '../../fields.js';
import type { JsonObject } from '../../log/json.js';
import { cleanBeginning, cleanText, hasText, shortName } from './clean-text.js';
import { kindOf, NOTE_KINDS, type NoteKind } from './kinds.js';

/** One entry, as a brief sees it. */
export interface BriefEntry {
  readonly number: number;
  readonly contextType: string;
  readonly author: string;
  readonly at: number;
  readonly content: string;
  readonly metadata: JsonObject;
  /** Said apart, in place of `metadata.note`. */
  readonly note?: JsonObject;
}

export type NoteWarning =
  | {
      readonly code: 'NOTE_KIND_UNKNOWN';
      readonly entry: number;
      readonly given: string;
      readonly known: readonly string[];
    }
  | { readonly code: 'SUPERSEDES_UNKNOWN'; readonly entry: number; readonly given: unknown };

/** Texts as they were written: whoever shows them cleans them. One entry may hold thousands. */
export interface Note {
  readonly kind: NoteKind;
  readonly text: string;
}

export interface SaidNotes {
  readonly notes: readonly Note[];
  /** Numbers of earlier entries whose notes no longer count. */
  readonly supersedes: readonly number[];
  /** Kinds of which everything that was said before no longer counts. */
  readonly replaces: readonly NoteKind[];
  readonly warnings: readonly NoteWarning[];
}

/** Of a name that is shown. */
const NAME_CHARACTERS = 200;
/** Members of a note that are about other notes. */
const ABOUT_OTHERS: readonly string[] = ['supersedes', 'replaces'];

export function saidNotes(entry: BriefEntry): SaidNotes {
  const { number, metadata } = entry;
  const note = noteOf(entry);
  const inside: Fields = isFields(note) ? note : {};
  const { said, unknown } = saidIn(entry);
  const given = [...listOf(inside.supersedes), ...listOf(metadata.supersedes)];
  const replaced = note === undefined ? [] : [...listOf(inside.replaces), ...listOf(metadata.replaces)];
  const isEarlier = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < number;
  return {
    notes: said,
    supersedes: given.filter(isEarlier),
    replaces: replaced.flatMap((word) => kindOf(wordOf(word)) ?? []),
    warnings: [
      ...[...unknown, ...replaced.map(wordOf).filter((word) => !kindOf(word))].map((word) =>
        unknownKind(number, word),
      ),
      ...(note === undefined ? [] : given.filter((value) => !isEarlier(value))).map((value) => ({
        code: 'SUPERSEDES_UNKNOWN' as const,
        entry: number,
        given: value,
      })),
    ],
  };
}

/** How much an entry says beside its text: all that its note, and what stands beside it, name one by one. */
export function itemsNoted({ metadata }: Pick<BriefEntry, 'metadata'>): number {
  const { note, supersedes, replaces } = metadata;
  const values = isFields(note) ? Object.values(note) : [note];
  return [...values, supersedes, replaces].reduce<number>((sum, value) => sum + listOf(value).length, 0);
}

/** Kinds of the notes in an entry that say something. */
export function kindsNoted(entry: BriefEntry): ReadonlySet<NoteKind> {
  const kinds = new Set<NoteKind>();
  for (const { kind, text } of saidIn(entry).said) if (!kinds.has(kind) && hasText(text)) kinds.add(kind);
  const file = kinds.size > 0 ? undefined : fileNote(entry);
  return file === undefined ? kinds : kinds.add('file');
}

/** The beginning of the first or the last text of a kind that an entry says. */
export function notedIn(entry: BriefEntry, wanted: NoteKind, which: 'first' | 'last'): string | undefined {
  const { said } = saidIn(entry);
  for (const { kind, text } of which === 'first' ? said : said.toReversed()) {
    if (kind === wanted && hasText(text)) return cleanBeginning(text);
  }
  return undefined;
}

interface Said {
  readonly said: readonly Note[];
  readonly unknown: readonly string[];
}

const noteOf = ({ note, metadata }: BriefEntry) => note ?? metadata.note;

function saidIn(entry: BriefEntry): Said {
  const { content } = entry;
  const note = noteOf(entry);
  if (typeof note === 'string') {
    const kind = kindOf(note);
    return kind ? { said: [{ kind, text: content }], unknown: [] } : { said: [], unknown: [note] };
  }
  if (!isFields(note))
    return { said: [], unknown: note === undefined || note === null ? [] : [asSaid(note)] };
  const words = Object.keys(note).filter((word) => !ABOUT_OTHERS.includes(word));
  return {
    said: words.flatMap((word) => {
      const kind = kindOf(word);
      return kind ? textsOf(note[word]).map((text) => ({ kind, text })) : [];
    }),
    unknown: words.filter((word) => kindOf(word) === undefined),
  };
}

/** Of a note that is no word and no object: as much as names it. */
const asSaid = (note: unknown): string => JSON.stringify(note).slice(0, NAME_CHARACTERS);

/** A file that was added is one that matters, whoever added it. What was captured says so itself. */
export function fileNote({ contextType, content, metadata }: BriefEntry): string | undefined {
  if (contextType !== 'file' || isCapture(metadata)) return undefined;
  const named = metadata.path ?? metadata.name ?? cleanBeginning(content).split('\n')[0];
  const text = typeof named === 'string' ? cleanText(named) : '';
  return text === '' ? undefined : shortName(text, NAME_CHARACTERS);
}

export const isCapture = ({ capture }: JsonObject): boolean => isFields(capture);

const unknownKind = (entry: number, given: string): NoteWarning => ({
  code: 'NOTE_KIND_UNKNOWN',
  entry,
  given,
  known: NOTE_KINDS,
});

/** What is no word is shown as it was sent. */
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((item) => typeof item === 'string');

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

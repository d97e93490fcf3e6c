/**
 * The summary of a working session: a function of what was gathered and a budget, nothing else.
 *
 * Q1. Its text never takes more than the budget, counted as ceil(UTF-8 bytes / 4); the sections hold the same notes.
 * Q2. Sections take turns, each giving its newest note first. A section whose next note does not fit is closed: no older
 *     note survives a newer one.
 * Q3. What did not fit is counted by section, and the text says so.
 */
import { formatTimestamp } from '../envelope/json/rfc3339.js';
import { utf8Length } from '../text.js';
import type { Note, NoteKind } from './note.js';
import type { Gathered } from './notes-fold.js';

export type PackageSummary = {
  /** For a model or a person to read. */
  readonly text: string;
  readonly goal: readonly string[];
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly open: readonly string[];
  readonly files: readonly string[];
  readonly next: readonly string[];
  readonly tokenBudget: number;
  readonly tokens: number;
  /** What did not fit, by section. */
  readonly omitted: Readonly<Record<string, number>>;
};

export const DEFAULT_TOKEN_BUDGET = 2_000;

type Section = 'goal' | 'decisions' | 'done' | 'open' | 'files' | 'next';

/** In the order of the text. */
const SECTIONS: readonly { readonly section: Section; readonly kind: NoteKind; readonly title: string }[] = [
  { section: 'goal', kind: 'goal', title: 'Goal' },
  { section: 'decisions', kind: 'decision', title: 'Decisions' },
  { section: 'done', kind: 'done', title: 'Done' },
  { section: 'open', kind: 'open', title: 'Open' },
  { section: 'files', kind: 'file', title: 'Files' },
  { section: 'next', kind: 'next', title: 'Next' },
];
/** In the order of their turns: what the next holder needs most comes first. */
const TURNS: readonly NoteKind[] = ['goal', 'next', 'open', 'decision', 'done', 'file'];

/** How many of each kind, newest first, are in. */
type Taken = ReadonlyMap<NoteKind, number>;

export const tokensOf = (text: string): number => Math.ceil(utf8Length(text) / 4);

export function summarize(
  gathered: Gathered,
  who: { readonly sessionKey: string; readonly owner: string },
  tokenBudget: number = DEFAULT_TOKEN_BUDGET,
): PackageSummary {
  const heading = headingOf(gathered, who);
  const fits = (text: string): boolean => tokensOf(text) <= tokenBudget;
  const taken = choose(gathered, (candidate) => fits(textOf(heading, gathered, candidate)));
  const text = [textOf(heading, gathered, taken), heading, ''].find(fits) ?? '';
  const listed = (kind: NoteKind) =>
    survivors(gathered.notes[kind], taken.get(kind) ?? 0).map((note) => note.text);
  return {
    text,
    goal: listed('goal'),
    decisions: listed('decision'),
    done: listed('done'),
    open: listed('open'),
    files: listed('file'),
    next: listed('next'),
    tokenBudget,
    tokens: tokensOf(text),
    omitted: omittedOf(gathered, taken),
  };
}

function choose({ notes }: Gathered, fits: (taken: Taken) => boolean): Taken {
  const taken = new Map<NoteKind, number>();
  const waiting = new Set(TURNS.filter((kind) => notes[kind].length > 0));
  while (waiting.size > 0)
    for (const kind of waiting) {
      const count = (taken.get(kind) ?? 0) + 1;
      if (!fits(new Map(taken).set(kind, count))) waiting.delete(kind);
      else {
        taken.set(kind, count);
        if (count === notes[kind].length) waiting.delete(kind);
      }
    }
  return taken;
}

/** Read from old to new. */
function survivors(newestFirst: readonly Note[], count: number): readonly Note[] {
  return newestFirst.slice(0, count).toReversed();
}

function textOf(heading: string, gathered: Gathered, taken: Taken): string {
  const lines = [heading];
  for (const { kind, title } of SECTIONS) {
    const notes = survivors(gathered.notes[kind], taken.get(kind) ?? 0);
    if (notes.length > 0)
      lines.push(`${title}:`, ...notes.map(({ text, number }) => `- ${text} [${number}]`));
  }
  const omitted = Object.entries(omittedOf(gathered, taken)).map(([section, count]) => `${section} ${count}`);
  if (omitted.length > 0) lines.push(`Left out for length: ${omitted.join(', ')}.`);
  return lines.join('\n');
}

function omittedOf({ notes }: Gathered, taken: Taken): Record<string, number> {
  const left = SECTIONS.map(
    ({ section, kind }) => [section, notes[kind].length - (taken.get(kind) ?? 0)] as const,
  );
  return Object.fromEntries(left.filter(([, count]) => count > 0));
}

function headingOf(
  { entries, firstNumber, lastNumber, firstAt, lastAt, counts }: Gathered,
  { sessionKey, owner }: { readonly sessionKey: string; readonly owner: string },
): string {
  const subject = `Working session "${sessionKey}" of ${owner}`;
  if (entries === 0) return `${subject}: no context entries yet.`;
  const kinds = Object.entries(counts).map(([type, count]) => `${count} ${type}`);
  const span = `${formatTimestamp(firstAt)} to ${formatTimestamp(lastAt)}`;
  return `${subject}: ${entries} context entries (${kinds.join(', ')}), numbers ${firstNumber} to ${lastNumber}, ${span}.`;
}

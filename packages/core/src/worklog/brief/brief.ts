/**
 * The brief of a working session: what its next holder reads first. It is a function of the entries and a budget, is never
 * empty where an entry has text, and says what it leaves out.
 */
import type { Codec } from '../../envelope/codec.js';
import { formatTimestamp } from '../../envelope/json/rfc3339.js';
import { utf8Length } from '../../text.js';
import { plainName, quotedName, shortName } from './clean-text.js';
import type { NoteWarning } from './entry-notes.js';
import { type Filled, fill } from './fill.js';
import { BriefGather, type Gathered } from './gather.js';
import { SECTIONS, type Section } from './kinds.js';
import { briefLimits } from './limits.js';
import { sectionTitle } from './lines.js';

export const DEFAULT_TOKEN_BUDGET = 4_000;

export type Brief = {
  /** For a model or a person to read. */
  readonly text: string;
  readonly tokens: number;
  readonly tokenBudget: number;
  /** By kind of note; `entries`, `shortened` and `characters` of everything. */
  readonly omitted: Readonly<Record<string, number>>;
  readonly digest: string;
};

export type BriefWarning = NoteWarning | { readonly code: 'NO_GOAL' | 'NO_NEXT' };

export interface BriefSubject {
  readonly sessionKey: string;
  readonly owner: string;
}

/** An offer over MACP, which has no working session: its own texts are the entries. */
export interface OfferSubject {
  readonly scope: string;
  readonly owner: string;
  readonly macpSessionId: string;
}

const KEY_CHARACTERS = 80;
const OWNER_CHARACTERS = 100;

export const tokensOf = (text: string): number => Math.ceil(utf8Length(text) / 4);

export const gatherBrief = (tokenBudget: number, codec: Codec): BriefGather =>
  new BriefGather(briefLimits(tokenBudget), (text) => codec.sha256(codec.utf8(text)));

/** `gathered` with the same budget. */
export function writeBrief(
  gathered: Gathered,
  subject: BriefSubject | OfferSubject,
  tokenBudget: number,
  codec: Codec,
): Brief {
  const heading = headingOf(gathered, subject);
  const filled = fill(gathered, subject.owner, heading, briefLimits(tokenBudget));
  const sections = [...SECTIONS.keys()].map((section) => sectionText(filled, section));
  const text = [heading, ...sections, leftOut(gathered, filled)].join('').replace(/\n$/, '');
  const omitted = omittedOf(filled);
  const digest = `sha256:${codec.sha256(codec.utf8(text))}`;
  return { text, tokens: tokensOf(text), tokenBudget, omitted, digest };
}

export function briefWarnings({ kinds, warnings }: Gathered): readonly BriefWarning[] {
  const missing: BriefWarning[] = [];
  if (!kinds.has('goal')) missing.push({ code: 'NO_GOAL' });
  if (!kinds.has('next')) missing.push({ code: 'NO_NEXT' });
  return [...warnings, ...missing];
}

function headingOf(gathered: Gathered, subject: BriefSubject | OfferSubject): string {
  const owner = plainName(subject.owner, OWNER_CHARACTERS);
  const name = quotedName('scope' in subject ? subject.scope : subject.sessionKey, KEY_CHARACTERS);
  const from =
    'scope' in subject
      ? `${owner} over MACP, session ${shortName(subject.macpSessionId, OWNER_CHARACTERS)}.`
      : `${owner}: ${spanOf(gathered)}`;
  return `# Handover of ${name}\nFrom ${from}\n`;
}

function spanOf({ entries, counts, firstNumber, lastNumber, firstAt, lastAt }: Gathered): string {
  if (entries === 0) return 'no entries yet.';
  const types = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, count]) => `${count} ${type}`);
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  return `${count} (${types.join(', ')}), ${firstNumber} to ${lastNumber}, ${second(firstAt)} to ${second(lastAt)}.`;
}

const second = (at: number): string => (formatTimestamp(at) ?? '').replace(/\.\d+Z$/, 'Z');

function sectionText({ sections }: Filled, section: Section): string {
  const lines = sections.get(section) ?? [];
  if (lines.length === 0) return '';
  const inOrder = lines.toSorted((a, b) => a.number - b.number || a.index - b.index);
  return sectionTitle(section) + inOrder.map(({ line }) => line).join('');
}

/** In the order of the text. */
const leftByKind = ({ notesLeft }: Filled) =>
  [...SECTIONS.keys()].flatMap((kind) => {
    const count = notesLeft.get(kind as never);
    return count === undefined ? [] : [[kind, count] as const];
  });

function omittedOf(filled: Filled): Brief['omitted'] {
  const { entriesLeft, shortened, characters } = filled;
  return {
    ...Object.fromEntries(leftByKind(filled)),
    ...(entriesLeft.length > 0 && { entries: entriesLeft.length }),
    ...(shortened > 0 && { shortened }),
    ...(characters > 0 && { characters }),
  };
}

function leftOut({ entries }: Gathered, filled: Filled): string {
  const { entriesLeft, shortened, characters } = filled;
  if (characters === 0) return '';
  const notes = leftByKind(filled).map(([kind, count]) => `${SECTIONS.get(kind)?.toLowerCase()} ${count}`);
  const lines = [
    ...(notes.length > 0 ? [`- notes: ${notes.join(', ')}`] : []),
    ...(entriesLeft.length > 0
      ? [`- entries: ${entriesLeft.length} of ${entries}${runOf(entriesLeft)}`]
      : []),
    `- in all ${characters} characters${shortened > 0 ? `; ${shortened} shown shortened` : ''}; readContext has them`,
  ];
  return `## Left out\n${lines.join('\n')}\n`;
}

/** Which they are, if they follow one another. */
function runOf(numbers: readonly number[]): string {
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
  if (last - first + 1 !== numbers.length) return '';
  return first === last ? ` (${first})` : ` (${first} to ${last})`;
}

/**
 * Chooses what of a session a brief shows.
 *
 * F1. Notes take turns by kind, each kind giving its newest first. A kind whose next note does not fit is closed: no older
 *     note survives a newer one.
 * F2. Then plain entries: the first, the last three, errors, marked lines, and on from both ends while there is room.
 * F3. The text never takes more than its budget, and what is left out is counted.
 */
import { utf8Length } from '../../text.js';
import { shorten } from './excerpt.js';
import type { Gathered, KindGathered } from './gather.js';
import { SECTIONS, type Section, TURNS, type TurnKind } from './kinds.js';
import { type BriefLimits, LEAST_ENTRY_BYTES } from './limits.js';
import { entryLine, noteLine, sectionTitle } from './lines.js';
import { LATEST_FIRST, MOST_ERRORS, MOST_MARKED, type PlainEntry } from './plain.js';

interface ShownLine {
  readonly number: number;
  readonly index: number;
  readonly line: string;
}

export interface Filled {
  readonly sections: ReadonlyMap<Section, readonly ShownLine[]>;
  /** Notes that did not fit, by kind. */
  readonly notesLeft: ReadonlyMap<TurnKind, number>;
  /** Numbers of plain entries that did not fit, in order. */
  readonly entriesLeft: readonly number[];
  /** How many are shown, but not in full. */
  readonly shortened: number;
  /** Characters that are not shown, of whatever. */
  readonly characters: number;
}

export function fill(gathered: Gathered, owner: string, heading: string, limits: BriefLimits): Filled {
  const page = new Page(utf8Length(heading));
  const notesLeft = fillNotes(page, gathered, owner, limits);
  const entriesLeft = fillEntries(page, gathered, owner, limits);
  return {
    sections: page.sections,
    notesLeft,
    entriesLeft,
    shortened: page.shortened,
    characters: page.lost,
  };
}

/** What is shown so far, and how many bytes it takes. */
class Page {
  readonly sections = new Map<Section, ShownLine[]>([...SECTIONS.keys()].map((section) => [section, []]));
  used: number;
  shortened = 0;
  lost = 0;

  constructor(used: number) {
    this.used = used;
  }

  /** Bytes of the title, if the section has none yet. */
  titleBytes(section: Section): number {
    return this.sections.get(section)?.length ? 0 : utf8Length(sectionTitle(section));
  }

  /** Whether it fits before `end`; then it is shown. */
  put(section: Section, shown: ShownLine, lost: number, end: number): boolean {
    const bytes = this.titleBytes(section) + utf8Length(shown.line);
    if (this.used + bytes > end) return false;
    this.used += bytes;
    this.sections.get(section)?.push(shown);
    if (lost > 0) this.shortened += 1;
    this.lost += lost;
    return true;
  }
}

const NOTHING: KindGathered = { kept: [], count: 0, characters: 0 };
/** The state of git is a help, not something that was said: it is not missed. */
const COUNTED: readonly TurnKind[] = TURNS.filter((kind) => kind !== 'git');

function fillNotes(
  page: Page,
  { kinds, plain }: Gathered,
  owner: string,
  limits: BriefLimits,
): Filled['notesLeft'] {
  const of = (kind: TurnKind) => kinds.get(kind) ?? NOTHING;
  const end = plain.numbers.length > 0 ? limits.notesEnd : limits.entriesEnd;
  const given = new Map<TurnKind, number>();
  const waiting = new Set(TURNS.filter((kind) => of(kind).count > 0));
  while (waiting.size > 0)
    for (const kind of [...waiting]) {
      const turn = given.get(kind) ?? 0;
      const note = of(kind).kept[turn];
      const shown = note && { ...note, line: noteLine(note, owner) };
      if (!shown || !page.put(kind, shown, note.lost, end)) waiting.delete(kind);
      else given.set(kind, turn + 1);
    }
  const left = COUNTED.map((kind) => [kind, of(kind).count - (given.get(kind) ?? 0)] as const);
  for (const kind of COUNTED) {
    const shown = of(kind).kept.slice(0, given.get(kind) ?? 0);
    page.lost += of(kind).characters - shown.reduce((sum, { characters }) => sum + characters, 0);
  }
  return new Map(left.filter(([, count]) => count > 0));
}

function fillEntries(
  page: Page,
  { plain }: Gathered,
  owner: string,
  { entriesEnd }: BriefLimits,
): readonly number[] {
  const taken = new Set<number>();
  let characters = plain.characters;
  for (const [section, entry] of inTurns(plain, taken)) {
    const { number, excerpt, most, around } = entry;
    const room = entriesEnd - page.used - page.titleBytes(section) - utf8Length(entryLine(entry, '', owner));
    if (room < LEAST_ENTRY_BYTES) break;
    const { text, lost } = shorten(excerpt, Math.min(most, room));
    const shown = { number, index: 0, line: entryLine(entry, text, owner) };
    if (!page.put(section, shown, lost + around, entriesEnd)) break;
    taken.add(number);
    characters -= entry.characters;
  }
  page.lost += characters;
  const left = plain.numbers.filter((number) => !taken.has(number));
  if (left.length === 0) joinEntries(page);
  return left;
}

/** When nothing is missing, first and last need not be told apart. */
function joinEntries({ sections }: Page): void {
  if (sections.get('marked')?.length) return;
  const all = (['errors', 'first', 'latest'] as const).flatMap((section) => {
    const lines = sections.get(section) ?? [];
    sections.set(section, []);
    return lines;
  });
  sections.set('entries', all);
}

type Turn = readonly [Section, PlainEntry];

function* inTurns(plain: Gathered['plain'], taken: ReadonlySet<number>): Generator<Turn> {
  const first = new Queue('first', plain.oldest ? [plain.oldest, ...plain.first] : [], taken);
  const latest = new Queue('latest', plain.latest, taken);
  const errors = new Queue('errors', plain.errors, taken);
  const marked = new Queue('marked', plain.marked, taken);
  const times = (queue: Queue, count: number) => Array<Queue>(count).fill(queue);
  for (const queue of [
    first,
    ...times(latest, LATEST_FIRST),
    ...times(errors, MOST_ERRORS),
    ...times(marked, MOST_MARKED),
  ])
    yield* queue.next();
  while (!first.isEmpty || !latest.isEmpty)
    for (const queue of [latest, latest, latest, first]) yield* queue.next();
}

class Queue {
  readonly #section: Section;
  readonly #entries: readonly PlainEntry[];
  readonly #taken: ReadonlySet<number>;
  #at = 0;

  constructor(section: Section, entries: readonly PlainEntry[], taken: ReadonlySet<number>) {
    this.#section = section;
    this.#entries = entries;
    this.#taken = taken;
  }

  /** The next that is not shown yet, if there is one. */
  *next(): Generator<Turn> {
    const entry = this.isEmpty ? undefined : this.#entries[this.#at];
    if (entry) yield [this.#section, entry];
  }

  get isEmpty(): boolean {
    while (this.#at < this.#entries.length && this.#taken.has(this.#entries[this.#at]?.number ?? 0))
      this.#at += 1;
    return this.#at >= this.#entries.length;
  }
}

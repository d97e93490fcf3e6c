/**
 * Entries that carry no note, gathered from the newest to the oldest: the last ones, the first ones, errors, and lines that
 * look important. Each group keeps what a brief can show of it at most.
 */
import { charactersOf } from './clean-text.js';
import type { BriefEntry } from './entry-notes.js';
import { ERROR_WORDS } from './error-words.js';
import { cutExcerpt, EXCERPT_SLACK, type Excerpt, excerptOf } from './excerpt.js';
import { type BriefLimits, LEAST_ENTRY_BYTES, MARKED_LINE_BYTES } from './limits.js';

export interface PlainEntry {
  readonly number: number;
  readonly contextType: string;
  readonly author: string;
  readonly excerpt: Excerpt;
  /** To how many bytes it is shortened at most. */
  readonly most: number;
  /** Characters of the entry before and after what the excerpt is of. */
  readonly around: number;
  /** Of the whole entry. */
  readonly characters: number;
}

export interface PlainGathered {
  /** Of all plain entries, oldest first. */
  readonly numbers: readonly number[];
  readonly characters: number;
  /** The very first. */
  readonly oldest?: PlainEntry;
  /** Those after the very first, oldest first. */
  readonly first: readonly PlainEntry[];
  /** Newest first, as are errors and marked lines. */
  readonly latest: readonly PlainEntry[];
  readonly errors: readonly PlainEntry[];
  readonly marked: readonly PlainEntry[];
}

const MARKED =
  /\b(?:we|i|user) (?:have )?decided\b|^[ \t]*(?:[-*] )?(?:decision|decided|todo|fixme|next|next step|blocked|blocker|important)\b[ \t]*[:.!-]/im;

/** So many of the end are shown before errors and marked lines are looked for. */
export const LATEST_FIRST = 3;
export const MOST_ERRORS = 3;
export const MOST_MARKED = 10;

export class PlainGather {
  readonly #limits: BriefLimits;
  readonly #numbers: number[] = [];
  readonly #latest = new Group();
  readonly #first: PlainEntry[] = [];
  readonly #errors: PlainEntry[] = [];
  readonly #marked: PlainEntry[] = [];
  #characters = 0;
  #firstBytes = 0;
  /** The oldest so far, and what becomes of it among the first ones when an older one is met. */
  #oldest: { readonly entry: PlainEntry; readonly later?: PlainEntry } | undefined;

  constructor(limits: BriefLimits) {
    this.#limits = limits;
  }

  /** Yields what it has done since: each look at a text goes through all of it. */
  *add(entry: BriefEntry, text: string): Generator<number, void> {
    // The very first may have twice the room.
    const oldest = plainEntry(entry, text, 2 * this.#limits.entryBytes);
    const shown = withRoom(oldest, this.#limits.entryBytes);
    yield text.length;
    this.#pushFirst();
    const isOrdinary = !(yield* this.#addSpecial(entry, text));
    if (isOrdinary) this.#latest.push(shown, this.#limits.bytes);
    this.#oldest = { entry: oldest, ...(isOrdinary && { later: shown }) };
    this.#numbers.push(entry.number);
    this.#characters += shown.characters;
  }

  result(): PlainGathered {
    return {
      numbers: this.#numbers.toReversed(),
      characters: this.#characters,
      ...(this.#oldest && { oldest: this.#oldest.entry }),
      first: this.#first.toReversed(),
      latest: this.#latest.entries,
      errors: this.#errors,
      marked: this.#marked,
    };
  }

  get keptBytes(): ReadonlyMap<string, number> {
    return new Map([
      ['oldest', this.#oldest?.entry.excerpt.bytes ?? 0],
      ['first', this.#firstBytes],
      ['latest', this.#latest.bytes],
      ['errors', sumOf(this.#errors)],
      ['marked', sumOf(this.#marked)],
    ]);
  }

  /** Errors and marked lines stand in sections of their own, except the last entries, which are shown before them. */
  *#addSpecial(entry: BriefEntry, text: string): Generator<number, boolean> {
    if (this.#numbers.length < LATEST_FIRST) return false;
    if (this.#errors.length < MOST_ERRORS) {
      const isError = entry.metadata.isError === true || ERROR_WORDS.test(text);
      yield text.length;
      if (isError) this.#errors.push(errorEntry(entry, text, this.#limits.entryBytes));
      if (isError) return true;
    }
    if (this.#marked.length >= MOST_MARKED) return false;
    const isMarked = MARKED.test(text);
    yield text.length;
    if (isMarked) this.#marked.push(markedEntry(entry, text));
    return isMarked;
  }

  /** The one that was the oldest until now; the newest of the first ones make room. */
  #pushFirst(): void {
    if (!this.#oldest?.later) return;
    this.#first.push(this.#oldest.later);
    this.#firstBytes += this.#oldest.later.excerpt.bytes;
    while (this.#firstBytes > this.#limits.bytes) {
      const newest = this.#first.shift();
      if (!newest) return;
      this.#firstBytes -= newest.excerpt.bytes;
      const part = partIn(newest, this.#limits.bytes - this.#firstBytes);
      if (!part) continue;
      this.#first.unshift(part);
      this.#firstBytes += part.excerpt.bytes;
    }
  }
}

/** Takes entries until their texts fill a brief. */
class Group {
  readonly entries: PlainEntry[] = [];
  bytes = 0;
  #isFull = false;

  push(entry: PlainEntry, most: number): void {
    if (this.#isFull) return;
    const part = partIn(entry, most - this.bytes);
    this.#isFull = part !== entry;
    if (!part) return;
    this.entries.push(part);
    this.bytes += part.excerpt.bytes;
  }
}

/**
 * As much of an entry as can be shown where all before it are: they, the heading and the last section take the rest.
 * Undefined: nothing of it can be.
 */
function partIn(entry: PlainEntry, room: number): PlainEntry | undefined {
  if (entry.excerpt.bytes <= room) return entry;
  const most = room - EXCERPT_SLACK;
  return most < LEAST_ENTRY_BYTES ? undefined : { ...entry, excerpt: cutExcerpt(entry.excerpt, most) };
}

/** The same, shortened to fewer bytes at most. */
const withRoom = (entry: PlainEntry, most: number): PlainEntry => ({
  ...entry,
  most,
  excerpt: cutExcerpt(entry.excerpt, most),
});

const sumOf = (entries: readonly PlainEntry[]): number =>
  entries.reduce((sum, { excerpt }) => sum + excerpt.bytes, 0);

function plainEntry(entry: BriefEntry, text: string, most: number, part: string = text): PlainEntry {
  const { number, contextType, author } = entry;
  const excerpt = excerptOf(part, most);
  const characters = part === text ? excerpt.characters : charactersOf(text);
  return { number, contextType, author, excerpt, most, characters, around: 0 };
}

/** A long one is shown from the line on that says what went wrong. */
function errorEntry(entry: BriefEntry, text: string, most: number): PlainEntry {
  const whole = plainEntry(entry, text, most);
  const hit = whole.excerpt.tail === '' ? null : ERROR_WORDS.exec(text);
  if (!hit) return whole;
  const at = text[hit.index] === '\n' ? hit.index + 1 : text.lastIndexOf('\n', hit.index - 1) + 1;
  return { ...plainEntry(entry, text, most, text.slice(at)), around: charactersOf(text.slice(0, at)) };
}

function markedEntry(entry: BriefEntry, text: string): PlainEntry {
  const { index = 0 } = MARKED.exec(text) ?? {};
  const from = text.lastIndexOf('\n', index) + 1;
  const next = text.indexOf('\n', from);
  const to = next < 0 ? text.length : next;
  const line = plainEntry(entry, text, MARKED_LINE_BYTES, text.slice(from, to).trim());
  return { ...line, around: charactersOf(text.slice(0, from)) + charactersOf(text.slice(to)) };
}

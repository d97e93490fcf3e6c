/**
 * A text shortened to so many bytes: its beginning, a mark that says how much is missing, and its end. An excerpt keeps no
 * more of a long text than every shorter form of it needs.
 */
import { utf8Length } from '../../text.js';
import { charactersOf } from './clean-text.js';

export interface Excerpt {
  readonly head: string;
  /** Empty: the head is the whole text. */
  readonly tail: string;
  /** Of the whole text. */
  readonly characters: number;
  /** Of what is kept of it. */
  readonly bytes: number;
}

export interface Shortened {
  readonly text: string;
  /** Characters that are not shown. */
  readonly lost: number;
}

/** Below this the mark would take most of the room. */
const LEAST_ROOM = 40;
const ELLIPSIS_BYTES = 3;
/** A character takes no more, so that a cut misses its place by less. */
const CHARACTER_BYTES = 4;

/** More than a cut asks for, since a character may begin before its end. */
export const EXCERPT_SLACK = 3 * CHARACTER_BYTES + 2;

/** Enough of a text to shorten it to `most` bytes, or to fewer. */
export const excerptOf = (text: string, most: number): Excerpt =>
  cutExcerpt({ head: text, tail: '', characters: charactersOf(text), bytes: utf8Length(text) }, most);

/** Of one that was made with at least as much room. */
export function cutExcerpt(excerpt: Excerpt, most: number): Excerpt {
  const { head: whole, tail: rest, characters } = excerpt;
  if (excerpt.bytes <= most) return excerpt;
  const head = copyOf(beginning(whole, Math.ceil((most * 2) / 3) + CHARACTER_BYTES));
  const tail = copyOf(end(rest === '' ? whole : rest, Math.ceil(most / 3) + 2 * CHARACTER_BYTES));
  return { head, tail, characters, bytes: utf8Length(head) + utf8Length(tail) };
}

export function shorten({ head, tail, characters }: Excerpt, most: number): Shortened {
  if (tail === '' && utf8Length(head) <= most) return { text: head, lost: 0 };
  const room = most - utf8Length(mark(characters));
  if (room < LEAST_ROOM) {
    const shown = beginning(head, most - ELLIPSIS_BYTES);
    return { text: `${shown}…`, lost: characters - charactersOf(shown) };
  }
  const first = beginning(head, Math.floor((room * 2) / 3));
  const last = end(tail === '' ? head : tail, room - utf8Length(first));
  const lost = characters - charactersOf(first) - charactersOf(last);
  return { text: `${first}${mark(lost)}${last}`, lost };
}

const mark = (left: number): string => ` [… ${left} characters left out …] `;

/** As many whole characters from the beginning as fit. */
function beginning(text: string, most: number): string {
  let bytes = 0;
  let at = 0;
  for (const point of text) {
    bytes += utf8Length(point);
    if (bytes > most) break;
    at += point.length;
  }
  return text.slice(0, at);
}

function end(text: string, most: number): string {
  let bytes = 0;
  let at = text.length;
  while (at > 0) {
    const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
    const length = isPair ? 2 : 1;
    bytes += utf8Length(text.slice(at - length, at));
    if (bytes > most) break;
    at -= length;
  }
  return text.slice(at);
}

/** A slice keeps the whole text in memory that it was cut from; this one does not. */
const copyOf = (slice: string): string => ` ${slice}`.slice(1);

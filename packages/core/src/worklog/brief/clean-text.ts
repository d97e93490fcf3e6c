/**
 * Text of others as a brief shows it: lines end in one way, and nothing in it moves a cursor, turns its direction or cannot be
 * seen.
 */
import { hasUnseen, isPlainName, writtenOut } from '../../text.js';
import { pieceWithoutUnseen, SEEN } from './unseen.js';

const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** In UTF-16 units. A megabyte of line ends in one go would hold everybody else. */
const PIECE = 65_536;

export function cleanText(text: string): string {
  const pieces = cleaning(text);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** The same in pieces. Yields how much it has done since. */
export function* cleaning(text: string): Generator<number, string> {
  const lines = new CleanLines();
  let clean = '';
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    clean += lines.of(pieceWithoutUnseen(text, from, to));
    yield to - from;
    from = to;
  }
  return clean + lines.end();
}

class CleanLines {
  /** The last line so far: the next piece may go on with it. */
  #open = '';
  #isFirst = true;
  /** An empty line stands before the next one. */
  #isApart = false;

  /** What is clean of the text so far, and was not given yet. */
  of(piece: string): string {
    const [first = '', ...rest] = piece.replace(LINE_ENDS, '\n').replace(CONTROLS, '').split('\n');
    this.#open += first;
    const clean: string[] = [];
    for (const line of rest) {
      clean.push(this.end());
      this.#open = line;
    }
    return clean.join('');
  }

  /** Ends the line, with what parts it from the one before. */
  end(): string {
    const line = withoutBlanksAtEnd(this.#open);
    this.#open = '';
    if (line === '') {
      this.#isApart = !this.#isFirst;
      return '';
    }
    const parted = this.#isFirst ? '' : this.#isApart ? '\n\n' : '\n';
    [this.#isFirst, this.#isApart] = [false, false];
    return parted + line;
  }
}

/** CR and LF are one end of a line, and two halves of a pair one letter. */
function endOfPiece(text: string, from: number): number {
  const end = Math.min(from + PIECE, text.length);
  const isPair = isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end));
  return isPair || (text[end - 1] === '\r' && text[end] === '\n') ? end + 1 : end;
}

/** By hand: an expression would try every blank of a long run as a beginning. */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  return line.slice(0, end);
}

const LINE_END = /[\n\r\u0085\u2028\u2029]/;

/** Whether anything is left of a text when it is clean. */
export const hasText = (text: string): boolean => SEEN.test(text);

/** The beginning of a text, clean: more than any place shows that shows no more of it. */
export function cleanBeginning(text: string): string {
  const first = text.search(SEEN);
  if (first < 0) return '';
  let from = first;
  while (from > 0 && !LINE_END.test(text.charAt(from - 1))) from -= 1;
  return cleanText(text.slice(from, first + PIECE));
}

/** Code points. Half of a surrogate pair counts as one. */
export function charactersOf(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++)
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) {
      count -= 1;
      i += 1;
    }
  return count;
}

/** The name of something in a heading: cut to so many characters. */
export function shortName(text: string, most: number): string {
  const points = [...beginningOf(text, most + 1)];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}

/** Not many more code points than so many, and no fewer if there are as many: what is shown short may be long. */
const beginningOf = (text: string, points: number): string => text.slice(0, 2 * points);

/** In quotes. What cannot be seen in it is written out, and does not make it longer than it may be. */
export function quotedName(text: string, most: number): string {
  if (!hasUnseen(text)) return JSON.stringify(shortName(text, most));
  // Written out, a text never has fewer characters.
  const written = JSON.stringify(beginningOf(text, most + 1)).slice(1, -1);
  return `"${shortName(writtenOut(written), most)}"`;
}

/** A name that could be read as more than a name stands in quotes: one of several words, or with letters that nobody sees. */
export const plainName = (name: string, most: number): string =>
  isPlainName(name) ? shortName(name, most) : quotedName(name, most);

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Text of others as a brief shows it: lines end in one way, and nothing in it moves a cursor or turns its direction. */
import { hasUnseen, isPlainName, writtenOut } from '../../text.js';

const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function cleanText(text: string): string {
  const lines = text.replace(LINE_ENDS, '\n').replace(CONTROLS, '').split('\n').map(withoutBlanksAtEnd);
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

/** By hand: an expression would try every blank of a long run as a beginning. */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  return line.slice(0, end);
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
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}

/** In quotes. What cannot be seen in it is written out, and does not make it longer than it may be. */
export function quotedName(text: string, most: number): string {
  if (!hasUnseen(text)) return JSON.stringify(shortName(text, most));
  return `"${shortName(writtenOut(JSON.stringify(text).slice(1, -1)), most)}"`;
}

/** A name that could be read as more than a name stands in quotes: one of several words, or with letters that nobody sees. */
export const plainName = (name: string, most: number): string =>
  isPlainName(name) ? shortName(name, most) : quotedName(name, most);

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

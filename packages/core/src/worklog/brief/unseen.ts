/**
 * Letters that nobody sees and a model reads all the same: words of others could say in them what no person would notice. They
 * go, but for those without which what is seen would be another text: joiners of scripts that have them, of pictures, and what
 * says how the picture before it is drawn. Each of these stays alone, so that no words can be made of them.
 */
import { UNSEEN } from '../../text.js';

/** Formats that are seen: signs that stand before a number or a word. */
const SEEN_FORMATS = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
const SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...[
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Tibetan',
    'Myanmar',
    'Khmer',
    'Javanese',
    'Balinese',
  ],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const PICTURE = '\\p{Extended_Pictographic}';

const STAYS = [
  // They end a line.
  '[\\u2028\\u2029]',
  `[${SEEN_FORMATS}]`,
  `(?<=${PICTURE})[\\ufe0e\\ufe0f]`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  `(?<=[${PICTURE}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=${PICTURE})`,
  `(?<=[${SCRIPTS}])[\\u200c\\u200d]`,
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]',
];

const GOES = new RegExp(`(?!${STAYS.join('|')})[${UNSEEN}]`, 'gu');

/** Something is seen in it: neither unseen nor a control, a blank or an end of a line. */
export const SEEN = new RegExp(`[^\\p{Cc} \\u2028\\u2029${UNSEEN}]|[${SEEN_FORMATS}]`, 'u');

export const withoutUnseen = (text: string): string => text.replace(GOES, '');

/** In UTF-16 units: whether a letter stays is seen from the one before it and the one after it. */
const BESIDE = 2;
const ANY = new RegExp(`[${UNSEEN}]`, 'u');

/** A piece of a text, with NUL in place of what goes: CR and LF with something unseen between them are two ends of lines. */
export function pieceWithoutUnseen(text: string, from: number, to: number): string {
  const piece = text.slice(from, to);
  if (!ANY.test(piece)) return piece;
  const start = Math.max(0, from - BESIDE);
  let clean = '';
  let at = from;
  for (const { 0: letter, index } of text.slice(start, to + BESIDE).matchAll(GOES)) {
    const here = start + index;
    if (here < from || here >= to) continue;
    clean += `${text.slice(at, here)}\0`;
    at = here + letter.length;
  }
  return clean + text.slice(at, to);
}

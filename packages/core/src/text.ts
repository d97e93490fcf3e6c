/** Small pure text checks that every rule shares. */

export const MAX_ID_BYTES = 256;
/** Letters of a text that a refusal quotes. */
const MAX_CITED = 80;

// Controls, and halves of surrogate pairs that stand alone: none may be part of a name.
const FORBIDDEN_IN_IDS = /[\p{Cc}\p{Cs}]/u;

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Length in UTF-8, counted without a platform encoder. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

/** Message, handoff, participant, policy and mode ids: 1 to 256 bytes, no control characters. */
export function isId(text: string): boolean {
  if (text.length === 0 || text.length > MAX_ID_BYTES) return false;
  return !FORBIDDEN_IN_IDS.test(text) && utf8Length(text) <= MAX_ID_BYTES;
}

/**
 * Letters that show nothing: formats, fillers, selectors, blank patterns, separators of lines. Unicode counts some of them as
 * letters, so a name of them looks like no name. A pattern for a class: `[${UNSEEN}]` with the flag u.
 */
export const UNSEEN = '\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\u2800\\u{16fe4}\\u{1d159}';

const UNSEEN_LETTER = new RegExp(`[${UNSEEN}]`, 'u');
const UNSEEN_LETTERS = new RegExp(`[${UNSEEN}]`, 'gu');

/** Something in it cannot be seen, or it is nothing but blanks. Whether a text may be empty is another rule's matter. */
export function hasUnseen(text: string): boolean {
  return text !== '' && (isBlank(text) || UNSEEN_LETTER.test(text));
}

/** What cannot be seen, as JSON escapes it: one escape for each UTF-16 unit. */
export function writtenOut(text: string): string {
  return text.replace(UNSEEN_LETTERS, (letter) =>
    Array.from(
      { length: letter.length },
      (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * A name that somebody else chose, inside a sentence of ours for a model or a terminal. One that could be read as more than
 * a name is quoted, on one line, without what moves or hides text; blank letters are written out.
 */
export function named(name: string): string {
  if (isPlainName(name)) return name;
  return writtenOut(JSON.stringify(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')));
}

/** One word, which nobody takes for the words around it. */
export const isPlainName = (name: string): boolean =>
  /^[\p{L}\p{N}._@:/+-]+$/u.test(name) && !hasUnseen(name);

/** A text of others as a refusal quotes it: a refusal must not be as long as what it refuses. */
export function cited(text: string): string {
  let shown = '';
  let points = 0;
  for (const point of text) {
    if (++points > MAX_CITED) return `"${shown}…"`;
    shown += point;
  }
  return `"${shown}"`;
}

export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

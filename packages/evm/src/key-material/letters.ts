/**
 * Which UTF-16 units belong to a word. Texts of megabytes are searched, so this is arithmetic, not a pattern: a pattern
 * is slower, and one that takes a word of any length runs out of stack.
 */
const isLatin = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

export const isLetterOrDigit = (code: number): boolean => isLatin(code) || (code >= 48 && code <= 57);

/** Beyond ASCII everything counts as a letter but spaces and punctuation. Text is in form NFKD. */
export function isLetter(code: number): boolean {
  if (code < 0x80) return isLatin(code);
  const isPunctuation =
    code < 0xc0 ||
    (code >= 0x2000 && code <= 0x206f) ||
    (code >= 0x3000 && code <= 0x303f) ||
    code === 0xfeff;
  return !isPunctuation;
}

/**
 * A text as it is searched for keys: characters of one meaning look alike, and those that nobody sees are gone. They may
 * have stood inside a word or between two, so there may be more than one reading.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
const CAMEL = /(\p{Ll})(\p{Lu})/gu;

/** Full-width letters and digits become plain ones. Most texts are plain already, and not copied. */
export function plainText(text: string): string {
  return BEYOND_ASCII.test(text) ? text.normalize('NFKC').replace(UNSEEN, '') : text;
}

/** What the words of a text may be: as they stand, with capitals that begin a word, with unseen separators. */
export function readings(text: string): ReadonlySet<string> {
  const plain = plainText(text);
  const apart = BEYOND_ASCII.test(text) ? text.replace(UNSEEN, ' ') : text;
  return new Set([plain, plain.replace(CAMEL, '$1 $2'), apart]);
}

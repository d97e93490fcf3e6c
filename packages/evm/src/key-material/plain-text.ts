/**
 * A text as it is searched for keys: characters of one meaning look alike, and those that nobody sees are gone. Most texts
 * are plain already, and are not copied.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Full-width letters and digits become plain ones. */
export function plainText(text: string): string {
  return BEYOND_ASCII.test(text) ? text.normalize('NFKC').replace(UNSEEN, '') : text;
}

/** In form NFKD, as words are listed. What nobody sees may have stood inside a word or between two: two readings. */
export function readings(text: string): readonly string[] {
  if (!BEYOND_ASCII.test(text)) return [text];
  const full = text.normalize('NFKD');
  const inside = full.replace(UNSEEN, '');
  return inside.length === full.length ? [full] : [inside, full.replace(UNSEEN, ' ')];
}

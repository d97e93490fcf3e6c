/**
 * A text as it is searched for keys: characters of one meaning look alike, and those that nobody sees are gone. Most texts
 * are plain already, and are not copied.
 */
import { normalForm } from '@handover/core';
import { bareWords } from './bare-words.js';
import { asLatin } from './look-alikes.js';

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Full-width letters and digits become plain ones, and so do letters of other alphabets that look like them. */
export function plainText(text: string): string {
  return BEYOND_ASCII.test(text) ? asLatin(normalForm(text, 'NFKC').replace(UNSEEN, '')) : text;
}

/**
 * In form NFKD, as words are listed, and without what stands around words. What nobody sees may have stood inside a word or
 * between two. What is taken for an addition may be a word of its own: so it is read as it stands, too.
 */
export function readings(text: string): readonly string[] {
  const full = unseenReadings(text);
  return [...new Set([...full.map(bareWords), ...full])];
}

function unseenReadings(text: string): readonly string[] {
  if (!BEYOND_ASCII.test(text)) return [text];
  const full = asLatin(normalForm(text, 'NFKD'));
  const inside = full.replace(UNSEEN, '');
  return inside.length === full.length ? [full] : [inside, full.replace(UNSEEN, ' ')];
}

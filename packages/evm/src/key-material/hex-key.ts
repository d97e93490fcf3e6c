/**
 * Sixty-four hex digits may be a private key, a hash, or anything else: what stands before them decides. In a text the
 * nearest word that tells has the last say, so that "the tx of this private key" speaks of a key; a text that tells nothing
 * leaves it to the name of its field.
 */
const DIGITS = /^(?:0x)?[0-9a-f]{64}$/i;
const KEY_WORDS = /key|secret|priv|seed|wallet|mnemonic|^pk$|^sk$/;
const PUBLIC = /^pub(?:lic.*|k.*)?$/;
const OTHER_WORD =
  /^(?:hash(?:es)?|tx(?:s|id|hash)?|digests?|roots?|topics?|blocks?|salts?|ids?|fingerprints?|checksums?|sha|idempotency)$/;
const OTHER_ENDING = /(?:hash|digest|root)$/;

const ANY_KEY_WORD = /key|secret|priv|seed|wallet|mnemonic|pk|sk/i;

/** How far before a word its meaning is looked for: so many characters, and blanks between them. */
const CONTEXT = 40;
export const CONTEXT_WITH_BLANKS = 400;
const BLANK_BEYOND_ASCII = /[^\S\0-\x7f]/;

/** Cheap, and true of more than speaks of keys. */
export const maySpeakOfKeys = (text: string): boolean => ANY_KEY_WORD.test(text);

export const isHexDigits = (word: string): boolean => DIGITS.test(word);

/** Whether what stands closely before a place speaks of a key; undefined: it tells nothing. */
export function saysKeyBefore(text: string, at: number): boolean | undefined {
  const words = wordsOf(closelyBefore(text, at));
  const last = words.findLastIndex((word) => isKeyWord(word) || saysOther(word));
  if (last < 0) return undefined;
  return isKeyWord(words[last] ?? '') && !PUBLIC.test(words[last - 1] ?? '');
}

/** Whether the name of a field means a key. */
export function meansKey(name: string): boolean {
  const words = wordsOf(name);
  return words.some(isKeyWord) && !words.some(saysOther);
}

/** A row of blanks is one. It is looked for from the place back: so much is before every word of a text. */
function closelyBefore(text: string, at: number): string {
  const most = Math.max(0, at - CONTEXT_WITH_BLANKS);
  let from = at;
  for (let passed = 0; from > most && passed <= CONTEXT; from--) {
    const goesOn = from < at && isBlank(text, from) && isBlank(text, from - 1);
    if (!goesOn) passed += 1;
  }
  return text.slice(from, at).replace(/\s+/g, ' ').slice(-CONTEXT);
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return BLANK_BEYOND_ASCII.test(text.charAt(at));
}

const saysOther = (word: string): boolean =>
  OTHER_WORD.test(word) || OTHER_ENDING.test(word) || PUBLIC.test(word);
const isKeyWord = (word: string): boolean => KEY_WORDS.test(word) && !saysOther(word);

/** Names in one word are taken apart: `walletId`, `wallet_id` and `WALLET-ID` are two words each. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

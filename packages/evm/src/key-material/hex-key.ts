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

/** Cheap, and true of more than speaks of keys. */
export const maySpeakOfKeys = (text: string): boolean => ANY_KEY_WORD.test(text);

export const isHexDigits = (word: string): boolean => DIGITS.test(word);

/** `name`: of the field. `before`: what stands closely before the digits. */
export function speaksOfKeys(name: string, before: string): boolean {
  const words = wordsOf(before);
  const last = words.findLastIndex((word) => isKeyWord(word) || saysOther(word));
  if (last >= 0) return isKeyWord(words[last] ?? '') && !PUBLIC.test(words[last - 1] ?? '');
  const own = wordsOf(name);
  return own.some(isKeyWord) && !own.some(saysOther);
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

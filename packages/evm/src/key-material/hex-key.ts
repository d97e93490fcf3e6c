/**
 * Sixty-four hex digits may be a private key, a hash, or anything else: what stands before them decides. They count as a
 * key if that speaks of keys, and not of hashes and the like.
 */
const DIGITS = /^(?:0x)?[0-9a-fA-F]{64}$/;
const KEY_WORDS = /key|secret|priv|seed|wallet|mnemonic/;
const OTHER_WORD =
  /^(?:hash(?:es)?|tx(?:s|id|hash)?|digests?|roots?|topics?|blocks?|salts?|ids?|public.*|pub|pubk.*)$/;
const OTHER_ENDING = /(?:hash|digest|root)$/;

/** `context`: the name of the field, and what stands closely before. */
export function isHexKey(word: string, context: string): boolean {
  if (!DIGITS.test(word)) return false;
  const words = wordsOf(context);
  return words.some((one) => KEY_WORDS.test(one)) && !words.some(saysOther);
}

const saysOther = (word: string): boolean => OTHER_WORD.test(word) || OTHER_ENDING.test(word);

/** Names in one word are taken apart: `walletId`, `wallet_id` and `WALLET-ID` are two words each. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** Private keys in base58check: extended ones (BIP-32) and single ones (WIF), known by form, first bytes and checksum. */
import type { Sha256 } from './phrase.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS = new Map([...ALPHABET].map((character, i) => [character, BigInt(i)]));
const EXTENDED = /^[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107}$/;
const EXTENDED_BYTES = 82;
const SINGLE = /^[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}$/;
/** Without and with the mark of a compressed public key. */
const SINGLE_BYTES = [37, 38];
/** Of Bitcoin and of its test network. */
const SINGLE_VERSIONS = ['80', 'ef'];

export function isBase58Key(word: string, sha256: Sha256): boolean {
  if (EXTENDED.test(word)) return hasChecksum(decoded(word, [EXTENDED_BYTES]), sha256);
  if (!SINGLE.test(word)) return false;
  const hex = decoded(word, SINGLE_BYTES);
  return hex !== undefined && SINGLE_VERSIONS.includes(hex.slice(0, 2)) && hasChecksum(hex, sha256);
}

/** Hex; undefined: it has another number of bytes. None of these keys begins with a zero byte. */
function decoded(word: string, bytes: readonly number[]): string | undefined {
  let value = 0n;
  for (const character of word) value = value * 58n + (DIGITS.get(character) ?? 0n);
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return bytes.includes(even.length / 2) ? even : undefined;
}

function hasChecksum(hex: string | undefined, sha256: Sha256): boolean {
  if (hex === undefined) return false;
  return sha256(bytesOf(sha256(bytesOf(hex.slice(0, -8))))).startsWith(hex.slice(-8));
}

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16));

/** Base64 without a platform: `atob` works on strings of bytes and Buffer exists in Node alone. */
import { text, utf8 } from './proto/utf8.js';

const ALPHABET = utf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PAD = 0x3d;
const NOT_BASE64 = 255;

/** Value of each character code; the URL-safe alphabet differs in two characters, so one table reads both. */
const VALUES = new Uint8Array(128).fill(NOT_BASE64);
ALPHABET.forEach((code, value) => {
  VALUES[code] = value;
});
VALUES[0x2d] = 62; // -
VALUES[0x5f] = 63; // _

/** Standard alphabet, padded. */
export function toBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PAD);
  const at = (index: number) => bytes[index] ?? 0;
  const sign = (sextet: number) => ALPHABET[sextet & 63] ?? PAD;
  let pos = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const triple = (at(index) << 16) | (at(index + 1) << 8) | at(index + 2);
    out[pos] = sign(triple >>> 18);
    out[pos + 1] = sign(triple >>> 12);
    if (index + 1 < bytes.length) out[pos + 2] = sign(triple >>> 6);
    if (index + 2 < bytes.length) out[pos + 3] = sign(triple);
    pos += 4;
  }
  return text(out) ?? '';
}

/** Standard or URL-safe, padded or not; undefined for anything else, including bits left over in the last character. */
export function fromBase64(encoded: string): Uint8Array | undefined {
  const length = unpaddedLength(encoded);
  if (length === undefined) return undefined;
  const out = new Uint8Array(Math.floor((length * 3) / 4));
  let pos = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < length; index++) {
    const value = VALUES[encoded.charCodeAt(index)] ?? NOT_BASE64;
    if (value === NOT_BASE64) return undefined;
    bits = ((bits << 6) | value) & 0xfff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[pos++] = bits >>> held;
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? out : undefined;
}

function unpaddedLength(encoded: string): number | undefined {
  let length = encoded.length;
  while (length > 0 && encoded.length - length < 2 && encoded.charCodeAt(length - 1) === PAD) length--;
  const padded = length !== encoded.length;
  if (length % 4 === 1 || (padded && encoded.length % 4 !== 0)) return undefined;
  return length;
}

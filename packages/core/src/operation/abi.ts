/** The little of the ABI that reading XRC contracts takes: texts, text lists, addresses, words. No hashing. */
import type { Codec } from '../envelope/codec.js';

export const Selector = {
  owner: '8da5cb5b',
  getOwner: '893d20e8',
  getExecutorList: 'b6a0a31a',
  getOstc: '9335a4d1',
  getOstcMeta: '3d9b1fcf',
  getRule: 'b78ba7c8',
} as const;

const WORD = 64;

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

const word = (value: number): string => value.toString(16).padStart(WORD, '0');

/** One dynamic text, as arguments or as a constructor's. */
export function encodeText(text: string, codec: Codec): string {
  const bytes = codec.utf8(text);
  const padded = Math.ceil(bytes.length / 32) * WORD;
  return word(32) + word(bytes.length) + toHex(bytes).padEnd(padded, '0');
}

export function textCall(selector: string, text: string, codec: Codec): `0x${string}` {
  return `0x${selector}${encodeText(text, codec)}`;
}

/** Undefined when the answer is not one ABI text. */
export function decodeText(data: string, codec: Codec): string | undefined {
  const hex = data.slice(2);
  const offset = numberAt(hex, 0);
  const length = offset === undefined ? undefined : numberAt(hex, offset * 2);
  if (offset === undefined || length === undefined) return undefined;
  const from = offset * 2 + WORD;
  const body = hex.slice(from, from + length * 2);
  return body.length === length * 2 ? codec.text(fromHex(body)) : undefined;
}

export function decodeAddress(data: string): string | undefined {
  const hex = data.slice(2, 2 + WORD);
  return /^0{24}[0-9a-f]{40}$/i.test(hex) ? `0x${hex.slice(24).toLowerCase()}` : undefined;
}

export function decodeAddresses(data: string): readonly string[] | undefined {
  const hex = data.slice(2);
  const offset = numberAt(hex, 0);
  const length = offset === undefined ? undefined : numberAt(hex, offset * 2);
  if (offset === undefined || length === undefined || length > 10_000) return undefined;
  const found: string[] = [];
  for (let i = 0; i < length; i++) {
    const address = decodeAddress(`0x${hex.slice(offset * 2 + WORD * (i + 1), offset * 2 + WORD * (i + 2))}`);
    if (address === undefined) return undefined;
    found.push(address);
  }
  return found;
}

export function decodeWord(data: string): string | undefined {
  const hex = data.slice(2, 2 + WORD);
  return hex.length === WORD ? `0x${hex.toLowerCase()}` : undefined;
}

/** A small number; anything that could not be an offset or a length of real data is none. */
function numberAt(hex: string, at: number): number | undefined {
  const text = hex.slice(at, at + WORD);
  if (text.length !== WORD || !/^0{52}[0-9a-f]{12}$/i.test(text)) return undefined;
  return Number.parseInt(text, 16);
}

/** ABI encoding of what a deployment needs: strings, and lists of them. */
export type Encodable = string | readonly string[];

const WORD_BYTES = 32;

export function encodeArguments(values: readonly Encodable[]): string {
  return encodeTuple(
    values.map((value) => (typeof value === 'string' ? encodeText(value) : encodeList(value))),
  );
}

const word = (value: number): string => value.toString(16).padStart(64, '0');

/** Heads with offsets, then the tails; all members here are dynamic. */
function encodeTuple(tails: readonly string[]): string {
  let at = tails.length * WORD_BYTES;
  const heads = tails.map((tail) => {
    const head = word(at);
    at += tail.length / 2;
    return head;
  });
  return heads.join('') + tails.join('');
}

function encodeText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return word(bytes.length) + hex.padEnd(Math.ceil(bytes.length / WORD_BYTES) * 64, '0');
}

const encodeList = (texts: readonly string[]): string =>
  word(texts.length) + encodeTuple(texts.map(encodeText));

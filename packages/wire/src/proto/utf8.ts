/**
 * UTF-8 through the platform's own coders. They exist wherever this package runs, but not in `lib: es2023`, and a global
 * declaration would clash with the types of whoever imports us: hence the narrow view of globalThis.
 */
interface Encoder {
  encode(text: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { written: number };
}

interface Decoder {
  decode(bytes: Uint8Array): string;
}

interface Platform {
  TextEncoder: new () => Encoder;
  TextDecoder: new (label: 'utf-8', options: { fatal: boolean; ignoreBOM: boolean }) => Decoder;
}

const platform = globalThis as unknown as Platform;
const encoder = new platform.TextEncoder();
// ignoreBOM keeps a leading U+FEFF: it is part of the text.
const decoder = new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A lone surrogate has no UTF-8 and becomes U+FFFD. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes into the view and returns the number of bytes; the view must hold three bytes per UTF-16 unit. */
export function utf8Into(text: string, into: Uint8Array): number {
  return encoder.encodeInto(text, into).written;
}

/** Undefined when the bytes are not valid UTF-8. */
export function text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

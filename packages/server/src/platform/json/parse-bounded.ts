/** The one way in which JSON from outside becomes a value: bounded in bytes, depth and values before it is parsed. */
import { type JsonLimits, type JsonScan, scanJson } from './json-scan.js';

export interface ParseLimits extends JsonLimits {
  readonly bytes: number;
  /** JSON of few values may be longer: the bytes are then those of long texts, which cost little. */
  readonly longer?: { readonly bytes: number; readonly values: number };
}

export interface JsonFlaw {
  /** Which limit was passed, or what it is that is not there. */
  readonly kind: 'bytes' | 'depth' | 'values' | 'utf8' | 'syntax' | 'inexact';
  /** What follows "the body ..." in a sentence. */
  readonly message: string;
}

export type Parsed = { readonly value: unknown } | { readonly flaw: JsonFlaw };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseBounded(json: Uint8Array | string, limits: ParseLimits): Parsed {
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  const most = Math.max(limits.bytes, limits.longer?.bytes ?? 0);
  if (bytes.length > most) return { flaw: tooLong(most) };
  const flaw = scanFlaw(scanJson(bytes, limits), bytes.length, limits);
  return flaw ? { flaw } : parseScanned(json);
}

/** For JSON that was scanned while it arrived. */
export function scanFlaw(scan: JsonScan, bytes: number, limits: ParseLimits): JsonFlaw | undefined {
  if (scan.excess) return excessFlaw(scan.excess, limits);
  if (scan.values > limits.values) return excessFlaw('values', limits);
  if (bytes <= limits.bytes) return undefined;
  const { longer } = limits;
  if (longer && bytes <= longer.bytes && scan.values <= longer.values) return undefined;
  return tooLong(limits.bytes);
}

export function excessFlaw(kind: keyof JsonLimits, { depth, values }: JsonLimits): JsonFlaw {
  if (kind === 'depth') return { kind, message: `is nested more than ${depth} deep` };
  return { kind, message: `has more than ${values} values and names` };
}

/** Only for JSON that has passed the limits. */
export function parseScanned(json: Uint8Array | string): Parsed {
  let text: string;
  try {
    text = typeof json === 'string' ? json : utf8.decode(json);
  } catch {
    return { flaw: { kind: 'utf8', message: 'is not UTF-8' } };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { flaw: { kind: 'syntax', message: 'is not JSON' } };
  }
}

const tooLong = (bytes: number): JsonFlaw => ({ kind: 'bytes', message: `has more than ${bytes} bytes` });

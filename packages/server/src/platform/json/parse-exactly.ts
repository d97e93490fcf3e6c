/**
 * JSON whose value says exactly what its text says, or a finding with the place.
 *
 * X1. Two members of one name are refused: a parser keeps the last one and drops the others without a word.
 * X2. A number is refused that becomes another one: an overflow or underflow, minus zero, or a whole number, written
 *     without fraction and exponent, that has no exact double. Decimals are rounded as everywhere.
 */
import { inexactPlace } from './inexact-place.js';
import type { JsonScan } from './json-scan.js';
import { type Parsed, parseScanned } from './parse-bounded.js';

/** Only for JSON that has passed the limits; the scan is that of these bytes. */
export function parseExactly(bytes: Uint8Array, scan: JsonScan): Parsed {
  const parsed = parseScanned(bytes);
  if ('flaw' in parsed) return parsed;
  if (!scan.hasDoubtfulNumber && scan.names === namesIn(parsed.value)) return parsed;
  const place = inexactPlace(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  if (!place) return parsed;
  const { path, what } = place;
  return { flaw: { kind: 'inexact', message: `${path === '' ? 'the message' : path} ${what}` } };
}

/** Without recursion: the value may be deep. */
function namesIn(value: unknown): number {
  let names = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== 'object' || item === null) continue;
    // Own members, `__proto__` among them: that is a name like others for the parser.
    const members = Object.values(item);
    if (!Array.isArray(item)) names += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return names;
}

/**
 * Whether bytes hold the nine fields of a Commitment and nothing else (docs/spec/macp-2026.md 14.1). Their order, explicit
 * defaults and repeated fields do not matter; anything that the hash would leave out does, since a reader of the bytes
 * could take it for part of the commitment. Whether they decode is the codec's to say.
 */
const VARINT = 0;
const BYTES = 2;
const SUPERSEDES = 9;

/** Field number to wire type. */
const COMMITMENT: ReadonlyMap<number, number> = new Map([
  ...[1, 2, 3, 4, 5, 6, 7, SUPERSEDES].map((field) => [field, BYTES] as const),
  [8, VARINT],
]);
const REFERENCE: ReadonlyMap<number, number> = new Map([
  [1, BYTES],
  [2, BYTES],
]);

export function onlyCommitmentFields(bytes: Uint8Array): boolean {
  return onlyFields(
    bytes,
    COMMITMENT,
    (field, inner) => field !== SUPERSEDES || onlyFields(inner, REFERENCE),
  );
}

function onlyFields(
  bytes: Uint8Array,
  known: ReadonlyMap<number, number>,
  accepts: (field: number, inner: Uint8Array) => boolean = () => true,
): boolean {
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    if (!tag) return false;
    const field = Math.floor(tag.value / 8);
    const wireType = tag.value % 8;
    // A known number with another wire type is another field.
    if (known.get(field) !== wireType) return false;
    const value = readVarint(bytes, tag.end);
    if (!value) return false;
    at = value.end;
    if (wireType !== BYTES) continue;
    at += value.value;
    if (at > bytes.length || !accepts(field, bytes.subarray(value.end, at))) return false;
  }
  return true;
}

/** Undefined when it is cut off or has more than ten bytes. Beyond 2^53 the value is rounded: nothing is that long. */
function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  return undefined;
}

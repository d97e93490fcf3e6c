/** The id of a message that is not parsed: it stands at one of its ends, as clients write it. */
const ID = '"id"\\s*:\\s*(-?\\d{1,15}(?![\\d.eE])|"[^"\\\\]{1,64}")';
const FIRST = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}`);
/** Right before the bracket that closes the message. */
const LAST = new RegExp(`,\\s*${ID}\\s*\\}\\s*$`);

/** Undefined when it cannot be told. */
export function idIn(head: string, tail: string): string | number | undefined {
  const found = FIRST.exec(head)?.[1] ?? LAST.exec(tail)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}

/** So much of both ends is looked at. */
export const END_BYTES = 256;

/** Both ends of a message, whose bytes may be given away afterwards. */
export function endsOf(message: Uint8Array): readonly [head: string, tail: string] {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  return [text(message.subarray(0, END_BYTES)), text(message.subarray(-END_BYTES))];
}

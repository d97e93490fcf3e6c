/**
 * Where a text stops being JSON, in words that repeat nothing of it: it may hold secrets, and Node's own message quotes
 * what stands there. Empty when it cannot be told.
 */
export function syntaxPlace(text: string, thrown: unknown): string {
  const message = thrown instanceof SyntaxError ? thrown.message : '';
  const offset = /end of JSON|Unterminated string/.test(message) ? text.length : offsetIn(text, message);
  if (offset === undefined) return '';
  if (offset >= text.trimEnd().length) return ' (it ends too early)';
  const before = text.slice(0, offset).split('\n');
  return ` (see line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** Characters that Node quotes before the wrong one, where it gives no position. */
const QUOTED_BEFORE = 10;

function offsetIn(text: string, message: string): number | undefined {
  const [, position] = /at position ([0-9]+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  const [, around = ''] = /, \.\.\."([\s\S]+)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? [];
  const place = around === '' ? -1 : text.indexOf(around);
  return place < 0 ? undefined : place + QUOTED_BEFORE;
}

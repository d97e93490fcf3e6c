/** How a failure is said: `handover: WHAT. FIX   [CODE]` on stderr, or one JSON document there; stdout has nothing. */
import type { CommandFailure } from './failure.js';
import { printableLines } from './printable.js';

export function failureText({ message, code }: CommandFailure): string {
  // A list of wrong settings goes on below its first line.
  const [first = '', ...rest] = printableLines(message);
  return `${[`handover: ${first}   [${code}]`, ...rest].join('\n')}\n`;
}

export function failureJson({ what, fix, code, exit }: CommandFailure): string {
  return `${JSON.stringify({ error: { code, message: what, ...(fix !== '' && { fix }), exit } })}\n`;
}

/** How answers of the audit commands are laid out: a line of JSON for programs, a table for people. */
import type { Output } from './conventions/output.js';
import { printable } from './conventions/printable.js';

export const time = (ms: number): string => (ms <= 8.64e15 ? new Date(ms).toISOString() : `${ms} ms`);

export function line(out: Output['out'], value: object): void {
  out(`${JSON.stringify(value)}\n`);
}

export function table(out: Output['out'], title: string, rows: Readonly<Record<string, string>>): void {
  out(`${printable(title)}\n`);
  for (const [name, value] of Object.entries(rows)) out(`  ${name.padEnd(11)} ${printable(value)}\n`);
}

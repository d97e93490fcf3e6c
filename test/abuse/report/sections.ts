/** The parts of a page that are written by a command, between two comments; what stands around them is written by people. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../../docs/reports/abuse.md', import.meta.url));
const begin = (name: string): string => `<!-- ${name}: generated -->`;
const end = (name: string): string => `<!-- ${name}: end -->`;

export function readSection(name: string): string {
  const { page, from, to } = located(name);
  return page.slice(from, to).trim();
}

export function writeSection(name: string, body: string): void {
  const { page, from, to } = located(name);
  writeFileSync(PAGE, `${page.slice(0, from)}\n\n${body.trim()}\n\n${page.slice(to)}`);
}

function located(name: string): { readonly page: string; readonly from: number; readonly to: number } {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(begin(name)), page.indexOf(end(name))];
  if (from === -1 || to < from) throw new Error(`docs/reports/abuse.md has no section ${name}`);
  return { page, from: from + begin(name).length, to };
}

/** New pieces in place of the old ones with the same row; the other old ones stay. A piece begins with its row. */
export function merged(old: readonly string[], fresh: readonly string[]): readonly string[] {
  const rowOf = (piece: string) => Number(/H(\d+)/.exec(piece)?.[1] ?? 0);
  const rows = new Set(fresh.map(rowOf));
  const kept = old.filter((piece) => rowOf(piece) > 0 && !rows.has(rowOf(piece)));
  return [...kept, ...fresh].sort((a, b) => rowOf(a) - rowOf(b));
}

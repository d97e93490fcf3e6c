import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SKIPPED = new Set(['node_modules', 'dist', '.git']);

function* filesUnder(folder: string, suffix: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* filesUnder(path, suffix);
    else if (entry.isFile() && entry.name.endsWith(suffix)) yield path;
  }
}

/** The string literals inside every `verifies(...)` call of a source text. */
export function idsCitedBy(source: string): readonly string[] {
  const calls = source.matchAll(/\bverifies\(([^)]*)\)/g);
  return [...calls].flatMap(([, args]) =>
    [...(args ?? '').matchAll(/['"`]([^'"`]+)['"`]/g)].map(([, id]) => id ?? ''),
  );
}

/** The ids that tests cite, by file. Files are read, not run, so that the answer does not depend on what ran before. */
export function idsCitedByTests(): ReadonlyMap<string, readonly string[]> {
  const cited = new Map<string, readonly string[]>();
  for (const file of testFiles()) {
    const ids = idsCitedBy(readFileSync(file, 'utf8'));
    if (ids.length > 0) cited.set(file.slice(ROOT.length), ids);
  }
  return cited;
}

export function* testFiles(): Generator<string> {
  for (const top of ['packages', 'test', 'examples']) yield* filesUnder(`${ROOT}${top}`, '.test.ts');
}

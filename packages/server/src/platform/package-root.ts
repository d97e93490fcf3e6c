/**
 * Where the files of this package lie, whichever way it runs: from sources, as tsc compiled it, or as one bundle. The
 * three differ in how deep a module lies; the nearest package.json above it is the root in all of them.
 */
import { existsSync } from 'node:fs';

const ROOT = rootAbove(new URL('.', import.meta.url));

/** A file of the package by its path from the root. */
export const packageFile = (path: string): URL => new URL(path, ROOT);

/** What was built. Tests run from sources, and a worker thread cannot load TypeScript on Node 20: they use this, too. */
export const builtFile = (path: string): URL => packageFile(`dist/${path}`);

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error('handover lies in no package: no package.json above it');
  return rootAbove(above);
}

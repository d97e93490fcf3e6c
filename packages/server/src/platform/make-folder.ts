import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, for this user alone, and returns the first that was made. Node's own way never ends
 * where a system has folders in which nothing can be made, such as /proc.
 */
export function makeFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const above = dirname(path);
  const first = above === path ? undefined : makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody else may have made it just now.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  return first ?? path;
}

import { closeSync, openSync } from 'node:fs';
import { readUpTo } from './plain-file.js';

/**
 * The whole of a file that whoever runs the server has named, which may be a pipe; undefined when it has more than so many
 * bytes. A device may have no end at all.
 */
export function readBounded(path: string, maxBytes: number): string | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = readUpTo(file, maxBytes + 1);
    return bytes.length > maxBytes ? undefined : bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}

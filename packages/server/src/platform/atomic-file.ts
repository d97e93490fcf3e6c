import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface AtomicOptions {
  /** Exactly this, whatever the umask is. Default 0600. */
  readonly mode?: number;
  /** Called when the new file is whole, just before it takes the place of the old one; what it throws keeps the old one. */
  readonly beforeRename?: () => void;
}

/**
 * Writes a file so that after a crash there is the old one or the new one, whole, and never one readable by others than
 * its mode says: a new file beside it (0600), flushed, renamed over it, and the folder flushed.
 */
export function writeFileAtomic(path: string, content: string, options: AtomicOptions = {}): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      if (options.mode !== undefined) fchmodSync(file, options.mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    options.beforeRename?.();
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(dirname(path));
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

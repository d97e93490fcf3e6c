import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** Makes a folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handover-'));
  folders.push(folder);
  return folder;
}

export function removeTemporaryFolders(): void {
  // A process that a test ended may still be writing its last file.
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

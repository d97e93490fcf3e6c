import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Gone when the tests of the file are. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handover-'));
  folders.push(folder);
  return folder;
}

/** Folders and processes that must not outlive this process, however it ends. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
const children = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handover-fuzz-'));
  folders.push(folder);
  return folder;
}

export function endsWithUs(child: ChildProcess): void {
  children.add(child);
  child.once('close', () => children.delete(child));
}

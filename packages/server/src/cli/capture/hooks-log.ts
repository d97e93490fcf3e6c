/** What hooks could not do, one line each: a hook itself says nothing, because its client would show or obey it. */
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.js';

const FILE = 'hooks.log';
const MAX_BYTES = 1_048_576;
const MAX_LINE = 500;

export function logHook(dataFolder: string, what: string): void {
  const line = `${new Date().toISOString()} ${what.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ').slice(0, MAX_LINE)}\n`;
  const path = join(dataFolder, FILE);
  try {
    makeFolder(dataFolder);
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes + Buffer.byteLength(line) > MAX_BYTES) writeFileSync(path, line, { mode: 0o600 });
    else appendFileSync(path, line, { mode: 0o600 });
  } catch {
    // There is nobody left to tell.
  }
}

/** What hooks could not do, one line each: a hook itself says nothing, because its client would show or obey it. */
import { closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.js';
import { openPlainLog } from '../../platform/plain-file.js';

const FILE = 'hooks.log';
const MAX_BYTES = 1_048_576;
const MAX_LINE = 500;

export function logHook(dataFolder: string, what: string): void {
  const line = `${new Date().toISOString()} ${what.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ').slice(0, MAX_LINE)}\n`;
  try {
    makeFolder(dataFolder);
    const log = openPlainLog(join(dataFolder, FILE), MAX_BYTES - Buffer.byteLength(line));
    try {
      writeSync(log, line);
    } finally {
      closeSync(log);
    }
  } catch {
    // There is nobody left to tell.
  }
}

/**
 * What hooks could not do, one line each: a hook itself says nothing, because its client would show or obey it. Where others
 * may write to the data folder, the line goes to the folder that this user has without being asked, if that is there.
 */
import { closeSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dataPath } from '../../config/data-path.js';
import { makeFolder } from '../../platform/make-folder.js';
import { closeEmptyFolder } from '../../platform/own-folder.js';
import { openPlainLog } from '../../platform/plain-file.js';
import { isOurs, isWritableByOthers } from '../../platform/whose.js';

const FILE = 'hooks.log';
const MAX_BYTES = 1_048_576;
const MAX_LINE = 500;

export function logHook(dataFolder: string, what: string): void {
  const line = `${new Date().toISOString()} ${what.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ').slice(0, MAX_LINE)}\n`;
  try {
    makeFolder(dataFolder);
    closeEmptyFolder(dataFolder);
    const folder = [dataFolder, ownPlace()].find(isForUsToWrite);
    if (folder === undefined) return;
    const log = openPlainLog(join(folder, FILE), MAX_BYTES - Buffer.byteLength(line));
    try {
      writeSync(log, line);
    } finally {
      closeSync(log);
    }
  } catch {
    // There is nobody left to tell.
  }
}

const ownPlace = (): string => {
  const { HOME, XDG_DATA_HOME } = process.env;
  return dataPath({ HOME, XDG_DATA_HOME });
};

/** One that others may only read takes the line: its user will look there, and the file itself is private. */
function isForUsToWrite(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isOurs(stats) && !isWritableByOthers(stats);
}

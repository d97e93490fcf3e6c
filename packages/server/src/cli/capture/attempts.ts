/**
 * How often an event of the spool was begun and never ended: its process was killed, or stood still until it was. Twice is
 * enough to say that the event does it.
 */
import { closeSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openPlainLog } from '../../platform/plain-file.js';
import { removeFromSpool, spoolFolder } from './spool.js';

const MOST = 2;
/** One byte for each. */
const MARK = '.';

const nameOf = (event: string): string => `${event}.begun`;

export const timesBegun = (dataFolder: string, event: string): number =>
  statSync(join(spoolFolder(dataFolder), nameOf(event)), { throwIfNoEntry: false })?.size ?? 0;

export const isBegunTooOften = (dataFolder: string, event: string): boolean =>
  timesBegun(dataFolder, event) >= MOST;

export function begin(dataFolder: string, event: string): void {
  try {
    const file = openPlainLog(join(spoolFolder(dataFolder), nameOf(event)), MOST);
    try {
      writeSync(file, MARK);
    } finally {
      closeSync(file);
    }
  } catch {
    // What cannot be counted is tried all the same.
  }
}

/** However it ended. */
export const end = (dataFolder: string, event: string): void => removeFromSpool(dataFolder, nameOf(event));

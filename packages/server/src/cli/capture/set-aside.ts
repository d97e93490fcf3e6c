/**
 * What cannot be captured gets another name in the spool, so that nobody looks at it again and somebody can: the log names
 * it once. At most 20 are kept so; the oldest go first. They count for the limits of the spool, too.
 */
import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { end } from './attempts.js';
import { logHook } from './hooks-log.js';
import { preparedName } from './prepared.js';
import { removeFromSpool, spoolFolder } from './spool.js';

const MAX_SET_ASIDE = 20;
const SET_ASIDE = '.set-aside';

export function setAside(dataFolder: string, name: string, why: string): void {
  const folder = spoolFolder(dataFolder);
  const kept = `${name}${SET_ASIDE}`;
  try {
    removeFromSpool(dataFolder, kept);
    renameSync(join(folder, name), join(folder, kept));
    logHook(dataFolder, `${why}, and set aside: ${join(folder, kept)}`);
  } catch {
    // What cannot be renamed must not stand in the way either.
    removeFromSpool(dataFolder, name);
    logHook(dataFolder, `${why}, and dropped: ${join(folder, name)}`);
  }
  removeFromSpool(dataFolder, preparedName(name));
  end(dataFolder, name);
  dropOldest(dataFolder, folder);
}

function dropOldest(dataFolder: string, folder: string): void {
  const all = readdirSync(folder).filter((file) => file.endsWith(SET_ASIDE));
  const age = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldestFirst = all.map((file) => ({ file, at: age(file) })).sort((one, other) => one.at - other.at);
  for (const { file } of oldestFirst.slice(0, -MAX_SET_ASIDE)) removeFromSpool(dataFolder, file);
}

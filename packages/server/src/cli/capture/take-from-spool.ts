/**
 * What waits in the spool under a name.
 *
 * T1. What is no event, or cannot be read, is set aside under another name, so that nobody looks at it again and somebody
 *     can: the log names it once. The events behind it go on.
 * T2. At most 20 are kept so; the oldest go first. They count for the limits of the spool, too.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { isFields } from '@handover/core';
import { CLIENTS, HOOK_EVENTS } from './clients.js';
import { logHook } from './hooks-log.js';
import { removeFromSpool, type SpooledEvent, spoolFolder } from './spool.js';
import { MAX_AGE_MS } from './spool-limits.js';

const MAX_BYTES = 65_536;
const MAX_SET_ASIDE = 20;
const SET_ASIDE = '.set-aside';
/** The last moment that a time can name. */
const MAX_TIME = 8.64e15;

/** Undefined: it is gone, too old or no event. Then it no longer waits, and that is said. */
export function takeFromSpool(dataFolder: string, name: string, now: number): SpooledEvent | undefined {
  const event = readEvent(join(spoolFolder(dataFolder), name));
  if (event === 'gone') return undefined;
  if (event === 'no-event') {
    setAside(dataFolder, name);
    return undefined;
  }
  if (now - event.at <= MAX_AGE_MS) return event;
  removeFromSpool(dataFolder, name);
  logHook(dataFolder, `${event.event} of ${event.client}: dropped: nobody took it for seven days`);
  return undefined;
}

function readEvent(path: string): SpooledEvent | 'gone' | 'no-event' {
  try {
    const value: unknown = JSON.parse(readSmall(path));
    return isEvent(value) ? value : 'no-event';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'no-event';
  }
}

/** Links are not followed, and nobody is waited for: a pipe would have no end. */
function readSmall(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error('no file of ours');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

const WORDS = ['agent', 'project', 'server', 'token', 'transcript', 'cwd', 'source', 'error'];

function isEvent(value: unknown): value is SpooledEvent {
  if (!isFields(value)) return false;
  const { v, client, event, session, at, parks } = value;
  return (
    v === 1 &&
    CLIENTS.some((known) => known === client) &&
    HOOK_EVENTS.some((known) => known === event) &&
    typeof session === 'string' &&
    typeof at === 'number' &&
    Math.abs(at) <= MAX_TIME &&
    typeof parks === 'boolean' &&
    WORDS.every((word) => value[word] === undefined || typeof value[word] === 'string')
  );
}

function setAside(dataFolder: string, name: string): void {
  const folder = spoolFolder(dataFolder);
  const kept = `${name}${SET_ASIDE}`;
  try {
    removeFromSpool(dataFolder, kept);
    renameSync(join(folder, name), join(folder, kept));
    logHook(dataFolder, `no event, and set aside: ${join(folder, kept)}`);
  } catch {
    // What cannot be renamed must not stand in the way either.
    removeFromSpool(dataFolder, name);
    logHook(dataFolder, `no event, and dropped: ${join(folder, name)}`);
  }
  removeFromSpool(dataFolder, `${name}.prepared`);
  const all = readdirSync(folder).filter((file) => file.endsWith(SET_ASIDE));
  const age = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldestFirst = all.map((file) => ({ file, at: age(file) })).sort((one, other) => one.at - other.at);
  for (const { file } of oldestFirst.slice(0, -MAX_SET_ASIDE)) removeFromSpool(dataFolder, file);
}

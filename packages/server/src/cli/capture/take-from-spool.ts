/** What waits in the spool under a name. What is no event, or cannot be read, is set aside; the events behind it go on. */
import { join } from 'node:path';
import { isFields } from '@handover/core';
import { readPlainFile } from '../../platform/plain-file.js';
import { CLIENTS, HOOK_EVENTS } from './clients.js';
import { logHook } from './hooks-log.js';
import { setAside } from './set-aside.js';
import { removeFromSpool, type SpooledEvent, spoolFolder } from './spool.js';
import { MAX_AGE_MS } from './spool-limits.js';

const MAX_BYTES = 65_536;
/** The last moment that a time can name. */
const MAX_TIME = 8.64e15;

/** Undefined: it is gone, too old or no event. Then it no longer waits, and that is said. */
export function takeFromSpool(dataFolder: string, name: string, now: number): SpooledEvent | undefined {
  const event = readEvent(join(spoolFolder(dataFolder), name));
  if (event === 'gone') return undefined;
  if (event === 'no-event') {
    setAside(dataFolder, name, 'no event');
    return undefined;
  }
  if (now - event.at <= MAX_AGE_MS) return event;
  removeFromSpool(dataFolder, name);
  logHook(dataFolder, `${event.event} of ${event.client}: dropped: nobody took it for seven days`);
  return undefined;
}

function readEvent(path: string): SpooledEvent | 'gone' | 'no-event' {
  try {
    const value: unknown = JSON.parse(readPlainFile(path, MAX_BYTES, 'own').toString('utf8'));
    return isEvent(value) ? value : 'no-event';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'no-event';
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

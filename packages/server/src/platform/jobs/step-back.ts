/** Lets the calling thread run only when the others of its process leave room: on one core they would share by halves. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** On Linux alone a single thread can be named; elsewhere the thread keeps its place. */
export function stepBack(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // Nothing depends on it but the waiting time of others.
  }
}

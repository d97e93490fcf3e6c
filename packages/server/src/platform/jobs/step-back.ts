/** Lets the calling thread run only when the others of its process leave room: on one core they would share by halves. */
import { constants, setPriority } from 'node:os';
import { ownThread } from './thread-time.js';

/** On Linux alone a single thread can be named; elsewhere the thread keeps its place. */
export function stepBack(): void {
  const thread = ownThread();
  if (thread === undefined) return;
  try {
    setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // Nothing depends on it but the waiting time of others.
  }
}

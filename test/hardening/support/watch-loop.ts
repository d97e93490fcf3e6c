/** How long one request keeps everybody else waiting, in time of the processor: how many work on the machine does not matter. */
import { threadCpuMs } from '../../bench/cpu-time.js';

/** "About 50 ms" of the rule. */
export const HELD_MS = 50;

/** The longest time for which this thread worked without a turn of its loop. */
export function watchLoop() {
  let longest = 0;
  let last = threadCpuMs();
  let on = true;
  const look = () => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (on) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    on = false;
    // Whoever never gave the loop a turn is still in the first one.
    look();
    return longest;
  };
}

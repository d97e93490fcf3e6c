import { validateTimeout } from '../arguments.js';
import { MacpTimeoutError } from '../errors.js';
import type { CallOptions } from './call-options.js';

/** For calls that share a deadline: each call of what this returns gives the same options, with what is left of it. */
export function timeLeft<O extends CallOptions>(options: O, sessionId?: string): () => O {
  const { deadlineMs } = options;
  validateTimeout('deadlineMs', deadlineMs);
  if (deadlineMs === undefined) return () => options;
  const end = performance.now() + deadlineMs;
  return () => {
    const left = end - performance.now();
    if (left <= 0)
      throw new MacpTimeoutError(`DEADLINE_EXCEEDED: the ${deadlineMs} ms are over`, { sessionId });
    return { ...options, deadlineMs: Math.ceil(left) };
  };
}

/**
 * A rate limiter whose limits can change. A new limit begins with an empty window, so for a minute it may admit more
 * than the limit allows.
 */
import { createRateLimiter, type RateLimiter } from '../../auth/rate-limiter.js';
import type { SettingsNow } from './types.js';

export function createLiveRateLimiter(settingsNow: SettingsNow, now: () => number): RateLimiter {
  const make = () => {
    const { sessionStartsPerMinute, messagesPerMinute } = settingsNow();
    const limiter = createRateLimiter({ sessionStartsPerMinute, messagesPerMinute, now });
    return { limiter, sessionStartsPerMinute, messagesPerMinute };
  };
  let current = make();
  const limiter = () => {
    const { sessionStartsPerMinute, messagesPerMinute } = settingsNow();
    const same =
      sessionStartsPerMinute === current.sessionStartsPerMinute &&
      messagesPerMinute === current.messagesPerMinute;
    if (!same) current = make();
    return current.limiter;
  };
  return {
    check: (sender, bucket, places) => limiter().check(sender, bucket, places),
    limit: (bucket) => limiter().limit(bucket),
    peek: (sender, bucket) => limiter().peek(sender, bucket),
    get size() {
      return current.limiter.size;
    },
  };
}

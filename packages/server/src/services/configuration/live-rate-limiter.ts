/**
 * The rate limiter under limits that change. A new limit begins with an empty window: for a minute it errs on the side
 * of admitting, as forgetting idle senders does.
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
    check: (sender, bucket) => limiter().check(sender, bucket),
    get size() {
      return current.limiter.size;
    },
  };
}

/**
 * When to try again: the wait grows fourfold with each failure, up to a maximum, and varies so that retries spread out.
 */
export interface RetrySchedule {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The first attempt included. */
  readonly attempts: number;
}

/** About a day in all: a receiver may be down for a night. */
export const DEFAULT_SCHEDULE: RetrySchedule = { firstMs: 5_000, maxMs: 21_600_000, attempts: 10 };

const FACTOR = 4;

/** How long to wait after so many failed attempts; undefined: give up. `random` is from 0 to 1. */
export function retryDelay(schedule: RetrySchedule, failed: number, random: number): number | undefined {
  if (failed >= schedule.attempts) return undefined;
  const full = Math.min(schedule.maxMs, schedule.firstMs * FACTOR ** (failed - 1));
  return Math.round(full * (0.75 + random / 2));
}

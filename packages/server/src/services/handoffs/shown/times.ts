/** Times as people say them. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const ago = (ms: number): string => (ms < MINUTE_MS ? 'just now' : `${span(ms)} ago`);

/** `12 min`, `35 h`, `7 d`: whole ones, at least one minute. */
export function span(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.floor(ms / MINUTE_MS))} min`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`;
}

/** `14:40`, where the program runs; or `14:40 UTC`. */
export function clockTime(at: number, utc: boolean): string {
  const zone = utc ? { timeZone: 'UTC' } : {};
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone }).format(at);
  return utc ? `${time} UTC` : time;
}

/** `from 14:17 on`; a time of day says nothing of a day to come: `in 3 d`. */
export const fromThen = (at: number, now: number, utc: boolean): string =>
  at - now < DAY_MS / 2 ? `from ${clockTime(at, utc)} on` : `in ${span(at - now)}`;

/** `Sun 15:04 (7 d)`; what is further away than a week has a date. */
export function until(at: number, now: number): string {
  const day: Intl.DateTimeFormatOptions =
    at - now <= 7 * DAY_MS ? { weekday: 'short' } : { day: 'numeric', month: 'short' };
  const named = new Intl.DateTimeFormat('en-GB', day).format(at);
  return `${named} ${clockTime(at, false)} (${spanTo(at - now)})`;
}

/** A week that began a moment ago is a week: days are rounded, and a minute that has begun is one. */
function spanTo(ms: number): string {
  const whole = Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
  return span(whole < 2 * DAY_MS ? whole : Math.round(whole / DAY_MS) * DAY_MS);
}

/**
 * Milliseconds since 1970 as RFC 3339 text and back, for 0 to the end of year 9999. Written out, since core has no
 * Date: what it computes must not depend on a platform. A leap second is refused: Unix time has no number for it.
 */
import { MAX_TIMESTAMP_MS } from '../shape.js';

const DAY_MS = 86_400_000;
const ERA_DAYS = 146_097; // 400 years
const EPOCH_DAYS = 719_468; // from 0000-03-01 to 1970-01-01
const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,18}))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** With milliseconds and Z; undefined outside the range, where there is no such text. */
export function formatTimestamp(ms: number): string | undefined {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > MAX_TIMESTAMP_MS) return undefined;
  const [year, month, day] = civilFromDays(Math.floor(ms / DAY_MS));
  const rest = ms % DAY_MS;
  const hours = Math.floor(rest / 3_600_000);
  const minutes = Math.floor(rest / 60_000) % 60;
  const seconds = Math.floor(rest / 1_000) % 60;
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
  const time = `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(seconds, 2)}`;
  return `${date}T${time}.${digits(rest % 1_000, 3)}Z`;
}

/** Any offset; digits beyond milliseconds are cut. Undefined when the text is no such time, or out of range. */
export function parseTimestamp(text: string): number | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  const offset = clock(part(9), part(10), 0);
  const time = clock(part(4), part(5), part(6));
  if (time === undefined || offset === undefined) return undefined;
  const fraction = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = daysFromCivil(year, month, day) * DAY_MS + time + fraction;
  const ms = match[8] === '-' ? local + offset : local - offset;
  return ms >= 0 && ms <= MAX_TIMESTAMP_MS ? ms : undefined;
}

function clock(hours: number, minutes: number, seconds: number): number | undefined {
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return (hours * 3_600 + minutes * 60 + seconds) * 1_000;
}

function daysOf(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

// Both count in years that begin in March, so that the leap day is the last day of a year and eras are all alike.
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * ERA_DAYS + dayOfEra - EPOCH_DAYS;
}

function civilFromDays(days: number): readonly [year: number, month: number, day: number] {
  const z = days + EPOCH_DAYS;
  const era = Math.floor(z / ERA_DAYS);
  const dayOfEra = z - era * ERA_DAYS;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  return [era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day];
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

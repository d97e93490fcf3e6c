export function formatTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The time that is left: in minutes below two hours, in hours above. */
export function timeLeft(iso: string, now: number): string {
  const minutes = Math.floor((new Date(iso).getTime() - now) / 60_000);
  if (minutes < 0) return 'over';
  if (minutes < 1) return 'less than a minute left';
  if (minutes < 120) return `${minutes} minute${minutes === 1 ? '' : 's'} left`;
  return `${Math.floor(minutes / 60)} hours left`;
}

export const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short' });

/** Text cut at a whole character, with a sign that it was. */

export function cutCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = [];
  for (const point of text) {
    if (shown.length === most) return `${shown.slice(0, -1).join('')}…`;
    shown.push(point);
  }
  return text;
}

const ELLIPSIS_BYTES = 3;

export function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let bytes = 0;
  let at = 0;
  for (const point of text) {
    bytes += Buffer.byteLength(point);
    if (bytes > most - ELLIPSIS_BYTES) break;
    at += point.length;
  }
  return `${text.slice(0, at)}…`;
}

/** What a request of the binding may send, and what it must take. */

/** JSON, and no parameter but the charset that JSON has anyway. */
export function isJson(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') return false;
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return type === 'application/json' && parameters.every((parameter) => CHARSET.test(parameter));
}

/** A header that is missing allows everything; the most specific range decides (RFC 9110, 12.5.1). */
export function allowsEvents(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const qualities = new Map(accept.split(',').map(rangeOf));
  return (qualities.get('text/event-stream') ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0) > 0;
}

const CHARSET = /^charset="?utf-8"?$/;
const QUALITY = /^q=([0-9.]+)$/;

function rangeOf(text: string): readonly [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.map((parameter) => QUALITY.exec(parameter)?.[1]).find((found) => found);
  return [range, quality === undefined ? 1 : Number(quality)];
}

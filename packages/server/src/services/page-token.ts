/**
 * A place in a list, as a caller carries it: opaque, unsigned (it grants nothing, because the list is filtered by who
 * asks) and versioned, so that it can change. Every door uses these tokens and words its own refusal of a foreign one.
 */
const PREFIX = 'v1:';
/** 0.1.0 wrote cursors and marks of handoffs with this one; they stay readable. */
const OLDER_PREFIX = '1:';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Empty stays empty: there is no next page. */
export function pageToken(after: string): string {
  return after === '' ? '' : encode(PREFIX + after);
}

/** Undefined: no token of ours. */
export function readPageToken(token: string): string | undefined {
  if (token === '') return '';
  const text = Buffer.from(token, 'base64url').toString();
  // Decoding is lenient, so only a token that encodes to itself again is accepted.
  if (encode(text) !== token) return undefined;
  const prefix = [PREFIX, OLDER_PREFIX].find((known) => text.startsWith(known));
  return prefix === undefined || text === prefix ? undefined : text.slice(prefix.length);
}

/**
 * The place in a list as a caller carries it: opaque, unsigned (it grants nothing, the list is filtered by who asks),
 * and versioned, so that it can change.
 */
const PREFIX = 'v1:';

/** Empty stays empty: there is no next page. */
export function pageToken(after: string): string {
  return after === '' ? '' : Buffer.from(PREFIX + after).toString('base64url');
}

/** Undefined: no token of ours. */
export function readPageToken(token: string): string | undefined {
  if (token === '') return '';
  const text = Buffer.from(token, 'base64url').toString();
  const after = text.slice(PREFIX.length);
  // Decoding is lenient; only what encodes to the same token was one.
  return text.startsWith(PREFIX) && after !== '' && pageToken(after) === token ? after : undefined;
}

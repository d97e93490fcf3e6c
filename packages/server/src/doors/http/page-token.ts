/** Page tokens of lists: opaque to clients, `v1:<last id>` inside. They grant nothing, so they are not signed. */
const VERSION = 'v1:';
const BASE64URL = /^[A-Za-z0-9_-]*$/;

export function toPageToken(lastId: string): string {
  return lastId === '' ? '' : Buffer.from(VERSION + lastId).toString('base64url');
}

/** The id to go on after; undefined when the token is not one of ours. */
export function fromPageToken(token: string): string | undefined {
  if (token === '') return '';
  const text = BASE64URL.test(token) ? Buffer.from(token, 'base64url').toString() : '';
  return text.startsWith(VERSION) && text.length > VERSION.length ? text.slice(VERSION.length) : undefined;
}

/**
 * A place in a list, as a caller carries it: opaque, unsigned (it grants nothing, because the list is filtered by who
 * asks) and versioned, so that it can change. It names its list, and other lists refuse it: read by another list it
 * would skip entries without a word. Every door uses these tokens and words its own refusal of a foreign one.
 */
const VERSION = 'v2:';

/** What has places, with the prefix that 0.1.0 wrote for it; those tokens stay readable. */
const LISTS = {
  sessions: 'v1:',
  workingSessions: '1:',
  handoffs: '1:',
  context: 'v1:',
  feed: '1:',
  search: 'v2:search:',
  newestSessions: 'v2:newestSessions:',
} as const;

export type TokenList = keyof typeof LISTS;

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const prefixOf = (list: TokenList): string => `${VERSION}${list}:`;

/** Empty stays empty: there is no next page. */
export function pageToken(list: TokenList, after: string): string {
  return after === '' ? '' : encode(prefixOf(list) + after);
}

/** Undefined: not a token of this list. */
export function readPageToken(list: TokenList, token: string): string | undefined {
  if (token === '') return '';
  const text = Buffer.from(token, 'base64url').toString();
  // Decoding is lenient, so only a token that encodes to itself again is accepted.
  if (encode(text) !== token) return undefined;
  const prefix = [prefixOf(list), LISTS[list]].find((known) => text.startsWith(known));
  return prefix === undefined || text === prefix ? undefined : text.slice(prefix.length);
}

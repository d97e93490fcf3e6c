/** What a server elsewhere said of the token, for people. */
import type { Asked } from '../remote/ask-who.js';

export function serverNotes(server: string | undefined, asked: Asked | undefined): readonly string[] {
  if (server === undefined || asked === undefined) return [];
  if (asked.kind === 'known')
    return [`${server} knows the token as that of ${asked.agent}, with ${scopeWords(asked.scopes)}.`];
  return [`Warning: it was not tried out. ${asked.why.message}.`];
}

export const scopeWords = (scopes: readonly string[]): string =>
  scopes.length === 0 ? 'no scope that is known here' : `the scopes ${scopes.join(', ')}`;

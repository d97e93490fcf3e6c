import { MacpTransportError } from '../errors.js';
import type { SessionsPage } from './types.js';

/** All pages of a list, one after another. A token that came before would lead round in a circle. */
export async function* allPages(
  ask: (pageToken: string) => Promise<SessionsPage>,
): AsyncGenerator<SessionsPage, void, void> {
  const seen = new Set<string>();
  for (let pageToken = ''; ; ) {
    const page = await ask(pageToken);
    yield page;
    pageToken = page.nextPageToken;
    if (pageToken === '') return;
    if (seen.has(pageToken))
      throw new MacpTransportError(
        'the list of sessions does not end: a page token of the runtime came twice',
        'INTERNAL',
      );
    seen.add(pageToken);
  }
}

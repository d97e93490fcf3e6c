/**
 * Wraps a store, for tests of the code above it. The text of its cursors has no order and is no number, so that code
 * that compares cursors or calculates with them fails.
 */
import { BEGINNING, cursorFrom } from '../cursor.js';
import type { Cursor, Store } from '../store.js';

const PREFIX = '~';

export function withScrambledCursors(inner: Store): Store {
  return {
    ...inner,
    async commit(request, decide) {
      const outcome = await inner.commit(request, decide);
      return outcome.kind === 'stored' ? { ...outcome, at: outcome.at.map(scramble) } : outcome;
    },
    list: async ({ createdUpTo, ...query }) =>
      inner.list({ ...query, ...(createdUpTo !== undefined && { createdUpTo: restore(createdUpTo) }) }),
    async feed(after, limit) {
      const items = await inner.feed(restore(after), limit);
      return items.map(({ at, entry }) => ({ at: scramble(at), entry }));
    },
    position: async () => scramble(await inner.position()),
    behind: async (of) => inner.behind(restore(of)),
  };
}

function scramble(cursor: Cursor): Cursor {
  return cursorFrom(PREFIX + reversed(cursor));
}

function restore(cursor: Cursor): Cursor {
  if (cursor === BEGINNING) return BEGINNING;
  return cursorFrom(cursor.startsWith(PREFIX) ? reversed(cursor.slice(PREFIX.length)) : `?${cursor}`);
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

import type { Entry, StreamRef } from '@handover/core';
import type { Store } from '@handover/engine';

/** A page of large payloads must not fill the memory. */
const PAGE = { entries: 500, bytes: 4 * 1024 * 1024 };

export async function* entryPages(
  store: Pick<Store, 'read'>,
  ref: StreamRef,
): AsyncGenerator<readonly Entry[]> {
  for (let after = 0; ; ) {
    const page = await store.read(ref, after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    // A page that is not full is the last; most streams are one page, and asking again would double the reads.
    const bytes = page.reduce((sum, { payload }) => sum + payload.length, 0);
    if (page.length < PAGE.entries && bytes <= PAGE.bytes) return;
    after = last.seq;
  }
}

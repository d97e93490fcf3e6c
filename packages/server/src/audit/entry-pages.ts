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
    after = last.seq;
  }
}

/** A store in memory that counts the rows it lists: what a look costs, whatever the history. */
import { createMemoryStore } from '@handover/engine';

export function countedRows() {
  const inner = createMemoryStore();
  let rows = 0;
  const list: typeof inner.list = async (query) => {
    const listed = await inner.list(query);
    rows += listed.length;
    return listed;
  };
  return {
    store: { ...inner, list },
    /** How many were listed meanwhile. */
    async during(work: () => Promise<unknown>): Promise<number> {
      const before = rows;
      await work();
      return rows - before;
    },
  };
}

/**
 * Several stores on one log in memory, as several nodes have on one database: for tests and the simulation. A commit takes
 * effect in one step, so no stream is ever busy; what one node stores the others hear of in the next turn.
 */
import type { StreamRef } from '@handover/core';
import { createMemoryLog } from './memory-store.js';
import type { MovedStream, SharedStore } from './shared-store.js';
import type { Store } from './store.js';

export interface SharedMemory {
  /** Opens the store of one node. */
  join(me: string): Store;
}

export function createSharedMemory(now: () => number): SharedMemory {
  const log = createMemoryLog();
  const nodes = new Set<string>();
  const listeners = new Map<(streams: readonly MovedStream[]) => void, string>();

  log.onStored((appends, by) => {
    const streams = appends.map(({ stream: ref }) => ({ ref, seq: log.lastSeq(ref) }));
    void Promise.resolve().then(() => {
      for (const [told, me] of listeners) if (me !== by?.members().me) told(streams);
    });
  });

  function sharedFor(me: string): SharedStore {
    return {
      heads: async (refs: readonly StreamRef[]) => ({ now: now(), seqs: refs.map(log.lastSeq) }),
      moved(told) {
        // One for each call: the same function may listen twice.
        const listener = (streams: readonly MovedStream[]): void => told(streams);
        listeners.set(listener, me);
        return () => listeners.delete(listener);
      },
      members: () => ({ me, live: [...nodes] }),
      now,
    };
  }

  return {
    join(me) {
      nodes.add(me);
      const store = log.open(sharedFor(me));
      const close = async (): Promise<void> => {
        nodes.delete(me);
        await store.close();
      };
      return { ...store, close };
    },
  };
}

/**
 * How many bytes of payload are stored, by actor and by tenant, for those who were asked about lately: the answer then
 * needs no thread and no disk.
 *
 * U1. Exact. Questions go to the writer, which answers commits and questions in the order in which it was given them. So
 *     an answer counts every commit that was answered before it, and none that is answered later; each of those is added
 *     when its own answer comes.
 */
import type { StreamAppend, UsageQuery } from '@handover/engine';

/** About 150 bytes each. */
const CACHED = 10_000;

export interface UsageCache {
  of(query: UsageQuery): number | Promise<number>;
  /** These appends have just been stored. */
  stored(appends: readonly StreamAppend[]): void;
}

export function createUsageCache(ask: (query: UsageQuery) => Promise<number>): UsageCache {
  /** In order of last use. */
  const known = new Map<string, number>();

  function keep(key: string, bytes: number): void {
    known.delete(key);
    known.set(key, bytes);
    if (known.size <= CACHED) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  }

  function add(key: string, bytes: number): void {
    const before = known.get(key);
    if (before !== undefined) known.set(key, before + bytes);
  }

  return {
    of(query) {
      const key = keyOf(query);
      const bytes = known.get(key);
      if (bytes === undefined)
        return ask(query).then((asked) => {
          keep(key, asked);
          return asked;
        });
      keep(key, bytes);
      return bytes;
    },
    stored(appends) {
      for (const { stream, entries } of appends)
        for (const { actor, payload } of entries) {
          add(keyOf({ tenant: stream.tenant, actor }), payload.length);
          add(keyOf({ tenant: stream.tenant }), payload.length);
        }
    },
  };
}

/** Unambiguous whatever the names hold. */
function keyOf({ tenant, actor }: UsageQuery): string {
  return actor === undefined ? `all of ${tenant}` : `${tenant.length} ${tenant}${actor}`;
}

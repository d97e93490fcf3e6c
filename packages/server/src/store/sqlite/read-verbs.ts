/** The read verbs of the port, over whatever answers packed requests: the reader thread, or a connection of our own. */
import { type ListQuery, readDecimalCursor, type Store, type StreamHead } from '@handover/engine';
import { unpackDue, unpackEntries, unpackFeed, unpackHeads, unpackListed } from './messages.js';
import { Unpacker } from './pack.js';
import type { ReadRequest } from './reader.js';

export type ReadVerbs = Pick<Store, 'load' | 'read' | 'heads' | 'list' | 'count' | 'feed' | 'due'>;

export function createReadVerbs(ask: (request: ReadRequest) => Promise<Uint8Array>): ReadVerbs {
  return {
    load: async (ref, afterSeq, limit) =>
      unpackHeads(await ask({ verb: 'load', ref, afterSeq, limit }), ref, afterSeq),
    read: async (ref, afterSeq, limit) =>
      unpackEntries(await ask({ verb: 'read', ref, afterSeq, limit }), ref, afterSeq),
    heads: async (refs) => unpackStreamHeads(await ask({ verb: 'heads', refs })),
    list: async ({ createdUpTo, ...query }) =>
      unpackListed(await ask({ verb: 'list', query, createdUpTo: lastPosition(createdUpTo) })),
    count: async (query) => new Unpacker(await ask({ verb: 'count', query })).number(),
    feed: async (after, limit) =>
      unpackFeed(await ask({ verb: 'feed', afterPos: readDecimalCursor(after), limit })),
    due: async (query) => unpackDue(await ask({ verb: 'due', query })),
  };
}

/** Sequences begin at 1. */
function unpackStreamHeads(packed: Uint8Array): readonly (StreamHead | undefined)[] {
  const u = new Unpacker(packed);
  const heads: (StreamHead | undefined)[] = [];
  while (!u.done) {
    const head = { seq: u.number(), at: u.number() };
    heads.push(head.seq === 0 ? undefined : head);
  }
  return heads;
}

function lastPosition(createdUpTo: ListQuery['createdUpTo']): number {
  return createdUpTo === undefined ? Number.MAX_SAFE_INTEGER : readDecimalCursor(createdUpTo);
}

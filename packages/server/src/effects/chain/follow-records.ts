/**
 * Every operation that needs attention: those that were there at the start, then what the feed brings. No error ends
 * either; both go on where they were.
 */
import { StreamKind, type StreamRef } from '@handover/core';
import type { Cursor, DueStream, FeedItem } from '@handover/engine';
import { follow } from '../../services/follow.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { keepGoing, type Pauses } from '../keep-going.js';

export interface FollowOptions {
  readonly deps: OperationDependencies;
  readonly signal: AbortSignal;
  readonly pauses: Pauses | undefined;
}

type Ref = StreamRef<'operation'>;

/** Further away than any due time: an operation is due within its TTL and the longest watch window, thirty days. */
const HORIZON_MS = 60 * 24 * 60 * 60 * 1000;
const PAGE = 500;
/** How often an entry is tried that cannot be handled, before the following goes on without it. */
const TRIES = 3;

/** Calls `found` for every operation that is due at some time, which all are that are not over. */
export function scanRecords(
  { deps, signal, pauses }: FollowOptions,
  found: (ref: Ref) => Promise<void>,
): Promise<void> {
  const { store, log, now } = deps;
  const upTo = now() + HORIZON_MS;
  let after: DueStream | undefined;
  const one = (ref: Ref) =>
    // One record that cannot be read must not hide those after it.
    found(ref).catch((error: unknown) => log.error('operations.unreadable', { operation: ref.id, error }));
  const pages = async () => {
    do {
      const page = await store.due({
        upTo,
        limit: PAGE,
        kind: StreamKind.Operation,
        ...(after && { after }),
      });
      for (const { ref } of page) if (ref.kind === StreamKind.Operation && !signal.aborted) await one(ref);
      after = page.at(-1);
    } while (after && !signal.aborted);
  };
  return keepGoing(
    pages,
    signal,
    (error, pauseMs) => log.error('operations.scan', { error, pauseMs }),
    pauses,
  );
}

/** Calls `handle` for every entry of an operation after a cursor, in order. */
export function followRecords(
  { deps, signal, pauses }: FollowOptions,
  from: Cursor,
  handle: (ref: Ref, entry: FeedItem['entry']) => Promise<void>,
): Promise<void> {
  const { engine, log } = deps;
  let place = from;
  let tries = 0;
  const items = async () => {
    for await (const { entry, at } of follow(engine, place, signal)) {
      const { stream } = entry;
      try {
        if (stream.kind === StreamKind.Operation) await handle(stream, entry);
      } catch (error) {
        tries += 1;
        if (tries < TRIES) throw error;
        log.error('operations.skipped', { operation: stream.id, error });
      }
      place = at;
      tries = 0;
    }
  };
  return keepGoing(
    items,
    signal,
    (error, pauseMs) => log.error('operations.follow', { error, pauseMs }),
    pauses,
  );
}

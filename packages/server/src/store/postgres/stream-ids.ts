/** The rows of streams, by their key. A stream's id never changes, so that what is known stays true. */
import type { StreamRef } from '@handover/core';
import { texts } from './binary-arrays.js';

/** About 150 bytes each. */
const KEPT = 65_536;

/**
 * An id says when its stream was made, so that ids of several nodes are in order of creation as far as their clock tells:
 * milliseconds since then, or one more than the last, and the lane.
 */
const EPOCH = Date.UTC(2026, 0, 1);
const LANES = 4_096;
const LAST_TICK = 2 ** 41 - 1;

export const MOST_LANES = LANES - 1;

export function nextTick(last: number, now: number): number {
  const tick = now - EPOCH;
  return tick > last && tick <= LAST_TICK ? tick : last + 1;
}

export function streamId(tick: number, lane: number): number {
  return tick * LANES + lane;
}

export class StreamIds {
  readonly #ids = new Map<string, number>();

  get(key: string): number | undefined {
    const id = this.#ids.get(key);
    if (id === undefined) return undefined;
    // Those that are asked for stay.
    this.#ids.delete(key);
    this.#ids.set(key, id);
    return id;
  }

  set(key: string, id: number): void {
    this.#ids.set(key, id);
    if (this.#ids.size <= KEPT) return;
    for (const oldest of this.#ids.keys()) {
      this.#ids.delete(oldest);
      break;
    }
  }
}

/** Three parameters: tenant, kind and name of each. */
export function refColumns(refs: readonly StreamRef[]): readonly [Buffer, Buffer, Buffer] {
  return [
    texts(refs.map(({ tenant }) => tenant)),
    texts(refs.map(({ kind }) => kind)),
    texts(refs.map(({ id }) => id)),
  ];
}

export const REFS = 'unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY q(tenant, kind, name, i)';
export const IS_REF = `s.tenant = q.tenant COLLATE "C" AND s.kind = q.kind COLLATE "C" AND s.name = q.name COLLATE "C"`;

/** No text in PostgreSQL holds a NUL, so nothing of such a name is there. */
export function canBeStored({ tenant, kind, id }: StreamRef): boolean {
  return !`${tenant}${kind}${id}`.includes('\0');
}

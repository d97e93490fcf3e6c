/** Cursors of a feed with lanes: how far each lane was read, as `lane.number`, by lane, with commas between. */
import { type Cursor, cursorFrom, unreadableCursor } from '@handover/engine';
import { int4s, int8s } from './binary-arrays.js';
import type { Value } from './stage.js';
import { MOST_LANES } from './stream-ids.js';

export type Vector = ReadonlyMap<number, number>;

const PLACE = '[1-9]\\d{0,3}\\.\\d{1,15}';
const VECTOR = new RegExp(`^(?:${PLACE}(?:,${PLACE})*)?$`);
const LONGEST = MOST_LANES * 21;

export function vectorOf(cursor: Cursor): Vector {
  if (cursor.length > LONGEST || !VECTOR.test(cursor)) throw unreadableCursor(cursor);
  const vector = new Map<number, number>();
  let last = 0;
  for (const place of cursor === '' ? [] : cursor.split(',')) {
    const [lane = 0, n = 0] = place.split('.').map(Number);
    if (lane <= last || lane > MOST_LANES) throw unreadableCursor(cursor);
    vector.set(lane, n);
    last = lane;
  }
  return vector;
}

export function cursorOf(vector: Vector): Cursor {
  const places = [...vector].filter(([, n]) => n > 0).sort(([a], [b]) => a - b);
  return cursorFrom(places.map(([lane, n]) => `${lane}.${n}`).join(','));
}

/** As two parameters. */
export function vectorColumns(vector: Vector): readonly [Value, Value] {
  return [int4s([...vector.keys()]), int8s([...vector.values()])];
}

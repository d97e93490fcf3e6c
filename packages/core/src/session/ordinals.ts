/**
 * Positions in a session's history as the protocol counts them (docs/spec/macp-2026.md 3.3). The log numbers every entry; an
 * ordinal numbers what participants said, and what was said in their name. Suspend, resume, cancel and expiry have none.
 *
 * N1. The ordinal of an entry is its sequence less the entries without one before it.
 * N2. An ordinal that was given stays: what is before an entry never becomes more.
 */
import { CoreMessageType } from '../envelope/envelope.js';
import { EXPIRED_TYPE } from './runtime-names.js';

const WITHOUT_ORDINAL: ReadonlySet<string> = new Set([
  CoreMessageType.SessionCancel,
  CoreMessageType.SessionSuspend,
  CoreMessageType.SessionResume,
  EXPIRED_TYPE,
]);

export function hasOrdinal(type: string): boolean {
  return !WITHOUT_ORDINAL.has(type);
}

/**
 * The sequences of the entries without an ordinal, ascending, in pieces: an older session may have tens of thousands, and each
 * state has its own list.
 */
export type Controls = readonly (readonly number[])[];

const PIECE = 256;

export function withControl(controls: Controls, seq: number): Controls {
  const last = controls.at(-1);
  return last && last.length < PIECE ? controls.with(-1, [...last, seq]) : [...controls, [seq]];
}

export function countControls(controls: Controls): number {
  let count = 0;
  for (const { length } of controls) count += length;
  return count;
}

/** The ordinal of the entry with this sequence or, where that has none, of the last one before it. */
export function ordinalAt(controls: Controls, seq: number): number {
  let before = 0;
  for (const piece of controls) before += piece.filter((control) => control <= seq).length;
  return seq - before;
}

/** The sequence of the entry with this ordinal; beyond the end it is at least the ordinal itself. */
export function sequenceOf(controls: Controls, ordinal: number): number {
  let seq = ordinal;
  // Each one up to there moves it on by one, and perhaps beyond the next.
  for (const piece of controls) for (const control of piece) if (control <= seq) seq += 1;
  return seq;
}

/**
 * Positions in a session's history as the protocol counts them (docs/spec/macp-2026.md 3.3). The log numbers every entry; an
 * ordinal numbers what participants said, and what was said in their name. Suspend, resume, cancel and expiry have none.
 */
import { CoreMessageType } from '../envelope/envelope.js';
import { EXPIRED_TYPE } from './runtime-names.js';
import type { SessionState } from './state.js';

const WITHOUT_ORDINAL: ReadonlySet<string> = new Set([
  CoreMessageType.SessionCancel,
  CoreMessageType.SessionSuspend,
  CoreMessageType.SessionResume,
  EXPIRED_TYPE,
]);

export function hasOrdinal(type: string): boolean {
  return !WITHOUT_ORDINAL.has(type);
}

type Controls = Pick<SessionState, 'controls'>;

/** The ordinal of the entry with this sequence or, where that has none, of the last one before it. */
export function ordinalAt({ controls }: Controls, seq: number): number {
  return seq - controls.filter((control) => control <= seq).length;
}

/** The sequence of the entry with this ordinal; beyond the end it is at least the ordinal itself. */
export function sequenceOf({ controls }: Controls, ordinal: number): number {
  let seq = ordinal;
  for (const control of controls) {
    if (control > seq) break;
    seq++;
  }
  return seq;
}

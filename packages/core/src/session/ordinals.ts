/**
 * Where an envelope stands for clients of the protocol. The log numbers every entry; a client counts the envelopes that
 * were accepted, and what the runtime wrote on request (suspend, resume, cancel) is none of them: it takes no ordinal.
 *
 * N1. The ordinal of an entry is its sequence less the controls before it.
 * N2. An ordinal that was given stays: controls before an entry never become more.
 */
import { RUNTIME_MESSAGE_TYPES } from '../envelope/envelope.js';

export const isControl = (type: string): boolean => RUNTIME_MESSAGE_TYPES.has(type);

/** How many envelopes with an ordinal there are up to this sequence. */
export function ordinalAt(controls: readonly number[], seq: number): number {
  return seq - controls.filter((control) => control <= seq).length;
}

/** The sequence after which the next ordinal comes; 0 for the start. */
export function sequenceOf(controls: readonly number[], ordinal: number): number {
  let seq = ordinal;
  // Each control up to there moves it on by one, and perhaps beyond the next control.
  for (const control of controls) if (control <= seq) seq += 1;
  return seq;
}

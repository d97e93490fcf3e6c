/**
 * Where an envelope stands for clients of the protocol. The log numbers every entry; a client counts the envelopes that
 * were accepted, and what the runtime wrote on request (suspend, resume, cancel) is none of them: it takes no ordinal.
 *
 * N1. The ordinal of an entry is its sequence less the controls before it.
 * N2. An ordinal that was given stays: controls before an entry never become more.
 */
import { RUNTIME_MESSAGE_TYPES } from '../envelope/envelope.js';

export const isControl = (type: string): boolean => RUNTIME_MESSAGE_TYPES.has(type);

/** The sequences of controls, ascending, in pieces: a session may have tens of thousands, and each state has its own. */
export type Controls = readonly (readonly number[])[];

const PIECE = 256;

export function withControl(controls: Controls, seq: number): Controls {
  const last = controls.at(-1);
  return last && last.length < PIECE ? controls.with(-1, [...last, seq]) : [...controls, [seq]];
}

/** How many envelopes with an ordinal there are up to this sequence. */
export function ordinalAt(controls: Controls, seq: number): number {
  let before = 0;
  for (const piece of controls) before += piece.filter((control) => control <= seq).length;
  return seq - before;
}

/** The sequence after which the next ordinal comes; 0 for the start. */
export function sequenceOf(controls: Controls, ordinal: number): number {
  let seq = ordinal;
  // Each control up to there moves it on by one, and perhaps beyond the next control.
  for (const piece of controls) for (const control of piece) if (control <= seq) seq += 1;
  return seq;
}

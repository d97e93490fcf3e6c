/** How many bytes each part of a brief may take. All follow from its budget in tokens of four bytes. */
import type { TurnKind } from './kinds.js';

export interface BriefLimits {
  /** Of the whole brief. */
  readonly bytes: number;
  /** Where entries end: the rest is for what was left out. */
  readonly entriesEnd: number;
  /** Where notes end when there are plain entries, too. */
  readonly notesEnd: number;
  /** Of one plain entry; of the very first, twice as much. */
  readonly entryBytes: number;
  readonly noteBytes: (kind: TurnKind) => number;
}

const BYTES_OF_TOKEN = 4;
const LEFT_OUT_BYTES = 280;
export const MARKED_LINE_BYTES = 200;
/** With less room than this no further entry is begun. */
export const LEAST_ENTRY_BYTES = 120;

const between = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, Math.floor(value)));

export function briefLimits(tokenBudget: number): BriefLimits {
  const bytes = BYTES_OF_TOKEN * tokenBudget;
  const noteBytes = between(400, bytes / 10, 4_000);
  const longBytes = Math.floor(bytes / 3);
  return {
    bytes,
    entriesEnd: bytes - LEFT_OUT_BYTES,
    notesEnd: Math.floor(0.75 * bytes),
    entryBytes: between(160, bytes / 20, 1_600),
    noteBytes: (kind) => (kind === 'brief' || kind === 'captured' ? longBytes : noteBytes),
  };
}

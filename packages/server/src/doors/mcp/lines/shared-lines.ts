/**
 * What the connections that speak line by line have in common. A person may have as many windows as they like, and a bound for each
 * of them is none for all.
 *
 * L1. In one turn of the loop one message begins, of whatever connection, or a bounded number of lines that hold none. Those who
 *     wait take turns by caller.
 * L2. A call begins when there is room for the answer that is expected of it (services/answer-room.ts).
 */
import { fixedLimits } from '../../../config/fixed-limits.js';
import { Slices } from '../../../platform/slices.js';
import { type AnswerPlace, AnswerRoom } from '../../../services/answer-room.js';

const LINES_PER_TURN = fixedLimits.mcpLinesPerTurn.value;
const OF_CALLER = fixedLimits.mcpAnswerBytesOfCaller.value;

export class SharedLines {
  readonly room = new AnswerRoom(fixedLimits.mcpAnswerBytes.value);
  readonly #slices = new Slices(LINES_PER_TURN);

  /** Undefined: at once. */
  turn(caller: () => string, holdsMessage: boolean): Promise<void> | undefined {
    return unlessAtOnce((begin) => this.#slices.begin(caller, holdsMessage ? LINES_PER_TURN : 1, begin));
  }

  /** `begin` is called at once or when there is room. */
  place(caller: string, bytes: number, begin: () => void): AnswerPlace {
    return this.room.open(caller, OF_CALLER, bytes, begin);
  }
}

/** Undefined: it began while it was asked for. */
export function unlessAtOnce(ask: (begin: () => void) => void): Promise<void> | undefined {
  let begun = false;
  let later: (() => void) | undefined;
  ask(() => {
    begun = true;
    later?.();
  });
  if (begun) return undefined;
  return new Promise((resolve) => {
    later = resolve;
  });
}

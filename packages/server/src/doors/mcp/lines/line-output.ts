/**
 * What is written to the client of a connection, counted until the client has taken it. A client that takes nothing of
 * it for too long is cut off.
 */
import type { Writable } from 'node:stream';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { AnswerPlace } from '../../../services/answer-room.js';

const MAX_WAITING = fixedLimits.mcpWaitingBytesPerConnection.value;
const QUIET_MS = fixedLimits.quietListenerMs.value;

export interface LineOutputOptions {
  /** Some of it was taken. */
  onTaken(): void;
  readonly stalledMs?: number;
  /** Others wait for the room that is held here: patience is shorter. */
  readonly isCrowded?: () => boolean;
}

export class LineOutput {
  readonly #output: Writable;
  readonly #options: LineOutputOptions;
  #waiting = 0;
  #stalled: NodeJS.Timeout | undefined;
  /** For how long nothing was taken. */
  #quiet = 0;

  constructor(output: Writable, options: LineOutputOptions) {
    this.#output = output;
    this.#options = options;
  }

  /** False: the client has to take some of what was written before more is done for it. */
  get hasRoom(): boolean {
    return this.#waiting <= MAX_WAITING;
  }

  /** `place`: where it counts until it is taken. */
  write(message: unknown, place?: AnswerPlace): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    place?.answered(line.length);
    this.#waiting += line.length;
    if (this.#stalled === undefined) {
      this.#quiet = 0;
      this.#stalled = this.#watch();
    }
    return new Promise((resolve, reject) => {
      this.#output.write(line, (error) => {
        place?.leave();
        this.#taken(line.length);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Watches no longer whether the client takes anything. */
  release(): void {
    clearInterval(this.#stalled);
  }

  #taken(bytes: number): void {
    this.#waiting -= bytes;
    this.#quiet = 0;
    if (this.#waiting > 0) this.#stalled?.refresh();
    else {
      clearInterval(this.#stalled);
      this.#stalled = undefined;
    }
    this.#options.onTaken();
  }

  #watch(): NodeJS.Timeout {
    const { stalledMs = fixedLimits.stalledStreamMs.value } = this.#options;
    const each = Math.min(stalledMs, QUIET_MS);
    const look = () => {
      this.#quiet += each;
      if (this.#quiet >= stalledMs || this.#options.isCrowded?.())
        this.#output.destroy(new Error('the client takes nothing of what it is sent'));
    };
    return setInterval(look, each).unref();
  }
}

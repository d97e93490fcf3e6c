/**
 * What is written to the client of a connection, counted until the client has taken it. A client that takes nothing of
 * it for too long is cut off.
 */
import type { Writable } from 'node:stream';
import { fixedLimits } from '../../../config/fixed-limits.js';

const MAX_WAITING = fixedLimits.mcpWaitingBytesPerConnection.value;

export interface LineOutputOptions {
  /** Some of it was taken. */
  onTaken(): void;
  readonly stalledMs?: number;
}

export class LineOutput {
  readonly #output: Writable;
  readonly #options: LineOutputOptions;
  #waiting = 0;
  #stalled: NodeJS.Timeout | undefined;

  constructor(output: Writable, options: LineOutputOptions) {
    this.#output = output;
    this.#options = options;
  }

  /** False: the client has to take some of what was written before more is done for it. */
  get hasRoom(): boolean {
    return this.#waiting <= MAX_WAITING;
  }

  write(message: unknown): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    this.#waiting += line.length;
    this.#stalled ??= this.#watch();
    return new Promise((resolve, reject) => {
      this.#output.write(line, (error) => {
        this.#taken(line.length);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Watches no longer whether the client takes anything. */
  release(): void {
    clearTimeout(this.#stalled);
  }

  #taken(bytes: number): void {
    this.#waiting -= bytes;
    if (this.#waiting > 0) this.#stalled?.refresh();
    else {
      clearTimeout(this.#stalled);
      this.#stalled = undefined;
    }
    this.#options.onTaken();
  }

  #watch(): NodeJS.Timeout {
    const { stalledMs = fixedLimits.stalledStreamMs.value } = this.#options;
    const cut = () => void this.#output.destroy(new Error('the client takes nothing of what it is sent'));
    return setTimeout(cut, stalledMs).unref();
  }
}

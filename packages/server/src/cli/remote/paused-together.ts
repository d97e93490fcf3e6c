import type { IncomingMessage } from 'node:http';

/** Answers that are read, or wait, together. */
export class PausedTogether extends Set<IncomingMessage> {
  #paused = false;

  override add(answer: IncomingMessage): this {
    if (this.#paused) answer.pause();
    return super.add(answer);
  }

  pause(): void {
    this.#paused = true;
    for (const answer of this) answer.pause();
  }

  resume(): void {
    this.#paused = false;
    for (const answer of this) answer.resume();
  }
}

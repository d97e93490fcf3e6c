/**
 * How many bytes of answers wait in memory for clients to take them, on all connections together.
 *
 * A1. What counts is what Node holds and the system has not taken: an answer to a client that reads is gone at once.
 * A2. Beyond the limit, those connections are cut that have taken nothing for the longest time, until the rest fits.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';

export class HeldAnswers {
  readonly #limit: number;
  readonly #onCut: () => void;
  /** In the order in which the clients last took something. */
  readonly #held = new Map<ServerResponse, number>();
  readonly #watched = new WeakSet<ServerResponse>();
  #inAll = 0;
  #most = 0;

  constructor(limit: number, onCut: () => void) {
    this.#limit = limit;
    this.#onCut = onCut;
  }

  /** Bytes that wait now. */
  get inAll(): number {
    return this.#inAll;
  }

  /** The most that ever waited. */
  get most(): number {
    return this.#most;
  }

  /** Whenever something was written to an answer, or taken of it. */
  measure(answer: ServerResponse): void {
    const before = this.#held.get(answer);
    // An answer without a connection is a refusal of Node's own that waits for its turn. Node bounds those.
    const now = answer.socket && !answer.destroyed ? answer.writableLength : 0;
    if (now > 0) this.#watch(answer);
    if (now === 0 || now < (before ?? 0)) this.#forget(answer);
    if (now > 0) this.#hold(answer, now);
    for (const [oldest] of this.#held) {
      if (this.#inAll <= this.#limit) break;
      this.#cut(oldest);
    }
    this.#most = Math.max(this.#most, this.#inAll);
  }

  /** Once: a stream of events may fill and empty a thousand times. */
  #watch(answer: ServerResponse): void {
    if (this.#watched.has(answer)) return;
    this.#watched.add(answer);
    answer.once('close', () => this.#forget(answer));
  }

  #hold(answer: ServerResponse, bytes: number): void {
    this.#inAll += bytes - (this.#held.get(answer) ?? 0);
    this.#held.set(answer, bytes);
  }

  #forget(answer: ServerResponse): void {
    this.#inAll -= this.#held.get(answer) ?? 0;
    this.#held.delete(answer);
  }

  #cut(answer: ServerResponse): void {
    this.#forget(answer);
    answer.destroy();
    this.#onCut();
  }
}

/** Node's response, which has itself measured. */
export function measuredResponse(held: HeldAnswers): typeof ServerResponse {
  return class<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {
    override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
      const then = [encoding, callback].find((given) => typeof given === 'function');
      const hasRoom = super.write(
        chunk,
        (typeof encoding === 'string' ? encoding : undefined) as BufferEncoding,
        (error) => {
          held.measure(this);
          then?.(error);
        },
      );
      held.measure(this);
      return hasRoom;
    }

    override end(...given: unknown[]): this {
      super.end(...(given as Parameters<ServerResponse['end']>));
      held.measure(this);
      return this;
    }
  };
}

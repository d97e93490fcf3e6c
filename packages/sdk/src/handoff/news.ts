/**
 * News of a session for a wait. A server lets an identity listen to so many streams, and the program wants some for itself.
 *
 * N1. FOLLOWED waits of a client have a stream of their own; the others look at the history now and then, LOOKS at a time.
 * N2. A stream that is refused is a look as well. What keeps both from coming is kept for the error at the end.
 * N3. What would only repeat itself is thrown.
 */
import type { MacpClient } from '../client/client.js';
import { MacpTransportError } from '../errors.js';
import { Backoff } from '../transport/backoff.js';
import { Bell } from '../transport/bell.js';
import { isRefusedStream, tellOfCut } from '../transport/refused-stream.js';
import { isFinal } from '../transport/status.js';
import type { HandoffSession } from './session.js';

const FOLLOWED = 16;
const LOOKS = 4;

interface Share {
  followed: number;
  looking: number;
  readonly bell: Bell;
}

const shares = new WeakMap<MacpClient, Share>();

export class News {
  readonly #session: HandoffSession;
  readonly #share: Share;
  readonly #backoff = new Backoff();
  /** Why nothing can be heard at the moment. */
  failure: MacpTransportError | undefined;

  constructor(session: HandoffSession) {
    const { client } = session;
    this.#session = session;
    this.#share = shares.get(client) ?? { followed: 0, looking: 0, bell: new Bell() };
    shares.set(client, this.#share);
  }

  /** Each time that the projection may have changed, until the signal fires. */
  async *from(signal: AbortSignal): AsyncGenerator<void, void, void> {
    while (!signal.aborted) {
      try {
        const isRefused = this.failure !== undefined && isRefusedStream(this.failure);
        if (this.#share.followed < FOLLOWED && !isRefused) yield* this.#followed(signal);
        else await this.#look(signal);
        // A look that the deadline has cut short has not got through.
        if (!signal.aborted) this.failure = undefined;
        yield;
      } catch (error) {
        if (!(error instanceof MacpTransportError) || isFinal(error)) throw error;
        this.failure = error;
        if (!signal.aborted) tellOfCut(`the wait in session ${this.#session.sessionId}`, error);
      }
      await this.#backoff.wait(signal, this.failure?.retryAfterMs);
    }
  }

  async *#followed(signal: AbortSignal): AsyncGenerator<void, void, void> {
    this.#share.followed++;
    try {
      for await (const _ of this.#session.follow({ signal, reconnect: { maxAttempts: 0 } })) {
        this.#backoff.reset();
        this.failure = undefined;
        yield;
      }
    } finally {
      this.#share.followed--;
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const share = this.#share;
    while (share.looking >= LOOKS && !signal.aborted) await share.bell.wait(signal);
    if (signal.aborted) return;
    share.looking++;
    try {
      await this.#session.sync({ signal });
    } finally {
      share.looking--;
      share.bell.ring();
    }
  }
}

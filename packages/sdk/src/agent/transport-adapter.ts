import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { MacpTransportError } from '../errors.js';
import type { SequencedEnvelope } from '../stream/subscribe.js';
import { pause } from '../transport/backoff.js';

/** Where an agent's envelopes come from. */
export interface TransportAdapter {
  /** The session's envelopes from the beginning, in order, until the signal fires. */
  start(signal: AbortSignal): AsyncIterable<SequencedEnvelope>;
}

const RETRY_MS = 200;

/** Follows the session over gRPC; reconnects, and goes on where it was. */
export class GrpcTransportAdapter implements TransportAdapter {
  readonly #client: MacpClient;
  readonly #sessionId: string;
  readonly #auth: AuthConfig | undefined;
  readonly #patienceMs: number;
  #lastSequence = 0;

  /** Waits up to `waitForSessionMs` for a session that does not exist yet: agents start in any order. */
  constructor(client: MacpClient, sessionId: string, auth?: AuthConfig, waitForSessionMs = 30_000) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#auth = auth;
    this.#patienceMs = waitForSessionMs;
  }

  /** The sequence number of the last envelope that was delivered. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** The session's envelopes after `lastSequence`, until the signal fires. */
  async *start(signal: AbortSignal): AsyncGenerator<SequencedEnvelope, void, void> {
    const giveUpAt = Date.now() + this.#patienceMs;
    while (!signal.aborted) {
      try {
        const from = { auth: this.#auth, signal, afterSequence: this.#lastSequence };
        for await (const item of this.#client.subscribe(this.#sessionId, from)) {
          this.#lastSequence = item.sequence;
          yield item;
        }
        return;
      } catch (error) {
        if (!this.#notYet(error) || Date.now() >= giveUpAt) throw error;
        await pause(RETRY_MS, signal);
      }
    }
  }

  #notYet(error: unknown): boolean {
    return this.#lastSequence === 0 && error instanceof MacpTransportError && error.code === 'NOT_FOUND';
  }
}

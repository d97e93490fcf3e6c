/**
 * One StreamSession call: one session, one connection. It does not reconnect, since only its user knows what was sent;
 * `client.subscribe` does.
 *
 * An inline error does not end the stream. It goes to the `onInlineError` callback when there is one, and is thrown by
 * `responses()` or `read()` otherwise, in its place among the envelopes; reading may go on afterwards.
 */
import type { Envelope } from '@handover/core';
import { type AckError, decodeStreamFrame, encodeStreamRequest } from '@handover/wire';
import { given, validateTimeout } from '../arguments.js';
import {
  type AckFailure,
  MacpAckError,
  MacpClosedError,
  MacpSessionError,
  MacpTimeoutError,
  toFailure,
} from '../errors.js';
import { either } from '../transport/either.js';
import { Inbox } from '../transport/inbox.js';
import type { Called } from '../transport/status.js';
import { type ByteDuplex, decoded } from '../transport/transport.js';
import { validateSequence, validateSessionId } from '../validation.js';

/** A two-way stream of one session, made by `client.openStream`. */
export class MacpStream {
  readonly #call: ByteDuplex;
  readonly #inbox: Inbox;
  /** For errors: the session is known when it is asked for. */
  readonly #called: { -readonly [K in keyof Called]: Called[K] };
  readonly #clientClosed: AbortSignal;
  #onInlineError: ((failure: AckFailure) => void) | undefined;
  #closed = false;

  /** @internal */
  constructor(call: ByteDuplex, called: Called, clientClosed: AbortSignal) {
    this.#call = call;
    this.#clientClosed = clientClosed;
    this.#called = { ...called };
    this.#inbox = new Inbox(call, this.#called);
  }

  /** Sends an envelope. There is no Ack: when it is accepted it comes back, when it is refused an inline error does. */
  send(envelope: Envelope): void {
    given('envelope', envelope);
    let bytes: Uint8Array;
    try {
      bytes = encodeStreamRequest({ envelope, subscribeSessionId: '', afterSequence: 0 });
    } catch (cause) {
      throw new MacpSessionError(`envelope cannot be written: ${String(cause)}`, 'envelope');
    }
    this.#write(bytes);
  }

  /** Asks for the accepted history after a sequence number, and then for what follows. */
  sendSubscribe(sessionId: string, afterSequence = 0): void {
    validateSessionId(sessionId);
    validateSequence(afterSequence);
    this.#called.sessionId = sessionId;
    this.#write(encodeStreamRequest({ subscribeSessionId: sessionId, afterSequence }));
  }

  /** Receives inline errors from now on. */
  onInlineError(callback: (failure: AckFailure) => void): void {
    this.#onInlineError = callback;
  }

  /** The accepted envelopes as they come, until the runtime ends the stream or the signal fires. */
  async *responses(signal?: AbortSignal): AsyncGenerator<Envelope, void, void> {
    while (true) {
      const envelope = await this.#next(signal);
      if (!envelope) return;
      yield envelope;
    }
  }

  /** The next envelope; null at the end. Throws MacpTimeoutError when none came in time. */
  async read(timeoutMs?: number): Promise<Envelope | null> {
    if (timeoutMs === undefined) return (await this.#next(undefined)) ?? null;
    validateTimeout('timeoutMs', timeoutMs);
    const timer = AbortSignal.timeout(Math.ceil(timeoutMs));
    const envelope = await this.#next(timer);
    if (!envelope && timer.aborted) throw new MacpTimeoutError(`no envelope within ${timeoutMs} ms`);
    return envelope ?? null;
  }

  /** Says that nothing more will be sent; the runtime delivers what it has and ends the stream. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#call.end();
  }

  /** Gives the stream up at once; what was not read is lost. */
  cancel(): void {
    this.#closed = true;
    this.#inbox.discard();
  }

  /** Gives the stream up at the end of the block that began with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
  }

  #write(bytes: Uint8Array): void {
    if (this.#closed) throw new MacpClosedError('the stream is closed');
    this.#call.write(bytes);
  }

  async #next(signal: AbortSignal | undefined): Promise<Envelope | undefined> {
    const ending = either(this.#clientClosed, signal);
    while (true) {
      const bytes = await this.#inbox.next(ending);
      if (!bytes) return this.#ended();
      const frame = decoded(decodeStreamFrame(bytes), 'StreamSession');
      if (frame.kind === 'envelope') return frame.envelope;
      if (frame.kind === 'error') this.#refused(frame.error);
    }
  }

  #ended(): undefined {
    if (this.#clientClosed.aborted) this.cancel();
    return undefined;
  }

  #refused(error: AckError): void {
    const failure = toFailure(error);
    if (!this.#onInlineError) throw new MacpAckError(failure);
    this.#onInlineError(failure);
  }
}

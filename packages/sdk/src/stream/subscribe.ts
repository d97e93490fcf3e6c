/**
 * The accepted history of a session and what follows, until the caller stops.
 *
 * Sequence numbers are not on the wire: every delivered envelope has the next one, so the count of what was delivered is
 * where a new connection goes on. Suspend, resume and cancel have none. A new connection brings those again that came
 * last: they are known by their ids. Nothing is delivered twice and nothing is left out.
 */
import { type Envelope, hasOrdinal } from '@handover/core';
import { given, validateSignal } from '../arguments.js';
import { type AuthConfig, validateAuth } from '../auth.js';
import type { ReconnectPolicy } from '../transport/backoff.js';
import { reconnecting } from '../transport/reconnecting.js';
import { validateSequence, validateSessionId } from '../validation.js';
import type { MacpStream } from './macp-stream.js';

/**
 * An accepted envelope and its place in the session's history, counted from 1. Suspend, resume and cancel are not counted:
 * they have the place of the envelope that they follow.
 */
export interface SequencedEnvelope {
  /** Its place; go on from it with `afterSequence`. */
  readonly sequence: number;
  /** What was accepted. */
  readonly envelope: Envelope;
}

/** How to follow a session. */
export interface SubscribeOptions {
  /** The credential, in place of the client's. */
  readonly auth?: AuthConfig | undefined;
  /** Deliver what comes after this sequence number; 0 is everything. */
  readonly afterSequence?: number | undefined;
  /** Ends the iteration when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** How to come back after a lost connection. */
  readonly reconnect?: ReconnectPolicy | undefined;
}

/** Counts what is delivered, and leaves out what was delivered before. */
class Sequencer {
  sequence: number;
  readonly #uncounted = new Set<string>();

  constructor(after: number) {
    this.sequence = after;
  }

  take(envelope: Envelope): SequencedEnvelope | undefined {
    if (hasOrdinal(envelope.messageType)) {
      this.#uncounted.clear();
      return { sequence: ++this.sequence, envelope };
    }
    if (this.#uncounted.has(envelope.messageId)) return undefined;
    this.#uncounted.add(envelope.messageId);
    return { sequence: this.sequence, envelope };
  }
}

function validateSubscription(sessionId: string, options: SubscribeOptions): void {
  validateSessionId(sessionId);
  const { auth, afterSequence = 0, signal } = given('options', options);
  validateAuth(auth);
  validateSequence(afterSequence);
  validateSignal(signal);
}

type OpenStream = (options: { readonly auth?: AuthConfig | undefined }) => MacpStream;

export function subscribeSession(
  open: OpenStream,
  sessionId: string,
  options: SubscribeOptions,
): AsyncGenerator<SequencedEnvelope, void, void> {
  validateSubscription(sessionId, options);
  const sequencer = new Sequencer(options.afterSequence ?? 0);
  const connect = async function* (): AsyncGenerator<SequencedEnvelope> {
    const stream = open(options);
    try {
      stream.sendSubscribe(sessionId, sequencer.sequence);
      for await (const envelope of stream.responses(options.signal)) {
        const item = sequencer.take(envelope);
        if (item) yield item;
      }
    } finally {
      stream.cancel();
    }
  };
  return reconnecting(connect, `subscription to session ${sessionId}`, options.reconnect, options.signal);
}

/** What is stored by now: once the client has closed its side, the runtime delivers that and ends the stream. */
export async function* readHistory(
  open: OpenStream,
  sessionId: string,
  options: Omit<SubscribeOptions, 'reconnect'>,
): AsyncGenerator<SequencedEnvelope, void, void> {
  validateSubscription(sessionId, options);
  const sequencer = new Sequencer(options.afterSequence ?? 0);
  const stream = open(options);
  try {
    stream.sendSubscribe(sessionId, sequencer.sequence);
    stream.close();
    for await (const envelope of stream.responses(options.signal)) {
      const item = sequencer.take(envelope);
      if (item) yield item;
    }
  } finally {
    stream.cancel();
  }
}

/** What an agent can do in its session: every Handoff message, the controls, and anything else by name. */
import type { Ack } from '@handover/wire';
import type { ProgressInput, SignalInput } from '../client/ambient.js';
import { retrySend } from '../client/retry.js';
import { MODE_HANDOFF } from '../constants.js';
import { buildEnvelope } from '../envelope/build.js';
import type { AcceptInput, CommitInput, ContextInput, DeclineInput, OfferInput } from '../handoff/inputs.js';
import type { HandoffSession } from '../handoff/session.js';

/** The actions of a participant, each sent in its own name. */
export class ParticipantActions {
  readonly #session: HandoffSession;
  readonly #sender: string;
  readonly #answered = new Set<string>();

  /** @internal */
  constructor(session: HandoffSession, sender: string) {
    this.#session = session;
    this.#sender = sender;
  }

  /** Offers a handoff. */
  offer(input: OfferInput): Promise<Ack> {
    return this.#session.offer(input);
  }
  /** Provides context for a handoff. */
  sendContext(input: ContextInput): Promise<Ack> {
    return this.#session.sendContext(input);
  }
  /** Accepts a handoff. */
  accept(input: AcceptInput): Promise<Ack> {
    this.#answered.add(input.handoffId);
    return this.#session.acceptHandoff(input);
  }
  /** Declines a handoff. */
  decline(input: DeclineInput): Promise<Ack> {
    this.#answered.add(input.handoffId);
    return this.#session.decline(input);
  }
  /** Whether this agent has answered already, so that two strategies do not both answer. */
  hasAnswered(handoffId: string): boolean {
    return this.#answered.has(handoffId);
  }
  /** Ends the session with an outcome; what is left out follows from the history. */
  commit(input: CommitInput = {}): Promise<Ack> {
    return this.#session.commit(input);
  }
  /** Ends the session without an outcome. */
  cancel(reason = ''): Promise<Ack> {
    return this.#session.cancel(reason);
  }
  /** Pauses the session. */
  suspend(reason = ''): Promise<Ack> {
    return this.#session.suspend(reason);
  }
  /** Lets the session go on. */
  resume(reason = ''): Promise<Ack> {
    return this.#session.resume(reason);
  }
  /** Tells everyone who watches signals. */
  signal(input: SignalInput): Promise<Ack> {
    return this.#session.client.sendSignal(input, { auth: this.#session.auth });
  }
  /** Reports progress to the members of the session. */
  progress(input: Omit<ProgressInput, 'sessionId' | 'mode'>): Promise<Ack> {
    const { sessionId, client, auth } = this.#session;
    return client.sendProgress({ ...input, sessionId, mode: MODE_HANDOFF }, { auth });
  }
  /** Sends a message of any type, its payload already in bytes. */
  send(messageType: string, payload: Uint8Array, messageId?: string): Promise<Ack> {
    const { sessionId, client, auth } = this.#session;
    const sender = this.#sender;
    const envelope = buildEnvelope({
      mode: MODE_HANDOFF,
      messageType,
      sessionId,
      payload,
      sender,
      messageId,
    });
    return retrySend(client, envelope, { auth });
  }
}

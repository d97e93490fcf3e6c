/** What an agent can do in its session: the controls, anything by name, and in Handoff Mode every message. */
import type { Ack } from '@handover/wire';
import { given } from '../arguments.js';
import type { ProgressInput, SignalInput } from '../client/ambient.js';
import { retrySend } from '../client/retry.js';
import { buildEnvelope } from '../envelope/build.js';
import type { AcceptInput, CommitInput, ContextInput, DeclineInput, OfferInput } from '../handoff/inputs.js';
import { HandoffSession } from '../handoff/session.js';
import type { OutcomeInput } from '../session/inputs.js';
import type { SessionProjection } from '../session/projection.js';
import type { ModeSession } from '../session/session.js';
import type { AgentMode, HandoffModeName } from './modes.js';

/** What an agent can do in a session of any mode, in its own name; the mode's messages are methods of `participant.session`. */
export class SessionActions {
  readonly #session: ModeSession<SessionProjection>;
  readonly #sender: string;

  /** @internal */
  constructor(session: ModeSession<SessionProjection>, sender: string) {
    this.#session = session;
    this.#sender = sender;
  }

  /** Ends the session with an outcome. */
  commit(input: OutcomeInput): Promise<Ack> {
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
    const { sessionId, client, auth, projection } = this.#session;
    return client.sendProgress({ ...input, sessionId, mode: projection.mode }, { auth });
  }
  /** Sends a message of any type, its payload already in bytes. */
  async send(messageType: string, payload: Uint8Array, messageId?: string): Promise<Ack> {
    const { sessionId, client, auth, projection } = this.#session;
    const sender = this.#sender;
    const { mode } = projection;
    const envelope = buildEnvelope({ mode, messageType, sessionId, payload, sender, messageId });
    return retrySend(client, envelope, { auth });
  }
}

/** What an agent can do in a Handoff session, each message sent in its own name. */
export class ParticipantActions extends SessionActions {
  readonly #handoff: HandoffSession;
  readonly #answered = new Set<string>();

  /** @internal */
  constructor(session: HandoffSession, sender: string) {
    super(session, sender);
    this.#handoff = session;
  }

  /** Offers a handoff. */
  offer(input: OfferInput): Promise<Ack> {
    return this.#handoff.offer(input);
  }
  /** Provides context for a handoff. */
  sendContext(input: ContextInput): Promise<Ack> {
    return this.#handoff.sendContext(input);
  }
  /** Accepts a handoff. */
  async accept(input: AcceptInput): Promise<Ack> {
    this.#answered.add(given('input', input).handoffId);
    return this.#handoff.acceptHandoff(input);
  }
  /** Declines a handoff. */
  async decline(input: DeclineInput): Promise<Ack> {
    this.#answered.add(given('input', input).handoffId);
    return this.#handoff.decline(input);
  }
  /** Whether this agent has answered already, so that two strategies do not both answer. */
  hasAnswered(handoffId: string): boolean {
    return this.#answered.has(handoffId);
  }
  /** Ends the session with an outcome; what is left out follows from the history. */
  override commit(input: CommitInput = {}): Promise<Ack> {
    return this.#handoff.commit(input);
  }
}

/** The actions of an agent in a mode. */
export type ActionsOf<M extends AgentMode> = M extends HandoffModeName ? ParticipantActions : SessionActions;

export function actionsOf(session: ModeSession<SessionProjection>, sender: string): SessionActions {
  return session instanceof HandoffSession
    ? new ParticipantActions(session, sender)
    : new SessionActions(session, sender);
}

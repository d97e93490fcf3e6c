/**
 * An agent in one session.
 *
 * A1. Envelopes are handled one at a time, in the runtime's order: the projection first, then the handlers of the type,
 *     those of any type, those of the phase, and when the session has ended those of the end.
 * A2. The agent ends with the session: resolved, cancelled or expired. An answer is not the end; a Commitment is.
 * A3. Its own messages come back on the stream and are handled like any other, once.
 * A4. An error of a handler ends `run`, unless `onError` takes it.
 * A5. What is to be done later (`after`) comes between two messages, and never after the end.
 */
import { CoreMessageType } from '@handover/core';
import { given, validateFunction, validateRequiredField } from '../arguments.js';
import { type AuthConfig, resolveIdentity } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { retrySend } from '../client/retry.js';
import { MODE_HANDOFF } from '../constants.js';
import { buildEnvelope } from '../envelope/build.js';
import { MacpSdkError } from '../errors.js';
import { HandoffProjection } from '../handoff/projection.js';
import { log } from '../logging.js';
import type { StartInput } from '../session/inputs.js';
import type { SessionProjection } from '../session/projection.js';
import type { SequencedEnvelope } from '../stream/subscribe.js';
import { validateId, validateUnixMs } from '../validation.js';
import { type ActionsOf, actionsOf } from './actions.js';
import { Dispatcher } from './dispatcher.js';
import { expires } from './expiry.js';
import type {
  HandlerContext,
  HandlerOf,
  MessageHandler,
  PhaseHandler,
  PhaseOf,
  TerminalHandler,
  TerminalResult,
} from './handlers.js';
import { toIncoming } from './incoming.js';
import { LaterTasks } from './later-tasks.js';
import {
  type AgentMode,
  type HandoffModeName,
  openSession,
  type SessionsByMode,
  validateMode,
} from './modes.js';
import { GrpcTransportAdapter, type TransportAdapter } from './transport-adapter.js';

/** The first messages of an agent that opens its session itself. */
export interface InitiatorPlan {
  /** What the session is started with. */
  readonly sessionStart: Omit<StartInput, 'sender' | 'auth' | 'messageId'>;
  /** A first message, its payload in bytes. */
  readonly kickoff?: { readonly messageType: string; readonly payload: Uint8Array };
}

/** Who the agent is, in which session, and how it gets there. */
export interface ParticipantOptions<M extends AgentMode = HandoffModeName> {
  /** Who the agent is. */
  readonly participantId: string;
  /** The session to join, or to start. */
  readonly sessionId: string;
  /** The connection; it stays open when the agent ends. */
  readonly client: MacpClient;
  /** Handoff Mode by default. */
  readonly mode?: M | undefined;
  /** The credential, in place of the client's. It must fit the agent. */
  readonly auth?: AuthConfig | undefined;
  /** The mode version; that of this package by default. */
  readonly modeVersion?: string | undefined;
  /** The configuration; the default one unless named. */
  readonly configurationVersion?: string | undefined;
  /** The policy; the default one unless named. */
  readonly policyVersion?: string | undefined;
  /** Present when the agent is to start the session. */
  readonly initiator?: InitiatorPlan | undefined;
  /** Where envelopes come from; gRPC by default. */
  readonly transport?: TransportAdapter | undefined;
  /** How long to wait for a session that does not exist yet; 30,000 ms by default. */
  readonly waitForSessionMs?: number | undefined;
}

/** Something that adds handlers to a participant. */
export interface Strategy<M extends AgentMode = HandoffModeName> {
  /** Called once by `use`; adds its handlers. */
  install(participant: Participant<M>): void;
}

/** An agent in one session: subscribes, dispatches, acts. */
export class Participant<M extends AgentMode = HandoffModeName> {
  /** The agent's name. */
  readonly participantId: string;
  /** What the agent can do in any mode; in Handoff Mode also each of its messages. */
  readonly actions: ActionsOf<M>;
  /** The session as the agent writes it. */
  readonly session: SessionsByMode[M];
  readonly #client: MacpClient;
  readonly #auth: AuthConfig | undefined;
  readonly #initiator: InitiatorPlan | undefined;
  readonly #transport: TransportAdapter;
  readonly #dispatcher = new Dispatcher<M>();
  readonly #stop = new AbortController();
  readonly #context: HandlerContext<M>;
  readonly #later = new LaterTasks((error) => this.#failed(error));
  #reading = new AbortController();
  #failure: { readonly error: unknown } | undefined;
  #onError: ((error: unknown) => void) | undefined;
  #running = false;
  #result: TerminalResult | undefined;

  /** Connects when `run` is called. */
  constructor(options: ParticipantOptions<M>) {
    const { participantId, sessionId, client, waitForSessionMs } = given('options', options);
    given('client', client);
    if (waitForSessionMs !== undefined) validateUnixMs('waitForSessionMs', waitForSessionMs);
    validateId('participantId', participantId);
    // Without a mode M is Handoff Mode.
    const mode = validateMode(options.mode ?? MODE_HANDOFF) as M;
    const { auth } = resolveIdentity(client.auth, options.auth, participantId);
    const { modeVersion, configurationVersion, policyVersion } = options;
    const versions = { modeVersion, configurationVersion, policyVersion };
    this.participantId = participantId;
    this.session = openSession(mode, client, { sessionId, auth, ...versions, applyOwnMessages: false });
    this.actions = actionsOf(this.session, participantId) as ActionsOf<M>;
    this.#client = client;
    this.#auth = auth;
    this.#initiator = options.initiator;
    this.#transport =
      options.transport ?? new GrpcTransportAdapter(client, sessionId, auth, waitForSessionMs);
    this.#context = {
      participant: this,
      projection: this.projection,
      actions: this.actions,
      session: { sessionId, mode, policyVersion: this.session.policyVersion },
      log,
    };
  }

  /** What the agent knows of the session. */
  get projection(): SessionsByMode[M]['projection'] {
    return this.session.projection;
  }
  /** True once `stop` was called or the session has ended. */
  get isStopped(): boolean {
    return this.#stop.signal.aborted || this.#result !== undefined;
  }

  /** Adds a handler for a message type, or for any with `*`. */
  on<T extends string>(messageType: T, handler: HandlerOf<T, M>): this {
    validateRequiredField('messageType', messageType);
    validateFunction('handler', handler);
    this.#dispatcher.onMessage(messageType, handler as MessageHandler<unknown, M>);
    return this;
  }
  /** Adds a handler for a phase that is entered, or for any with `*`. */
  onPhaseChange(phase: PhaseOf<M> | '*', handler: PhaseHandler<M>): this {
    validateFunction('handler', handler);
    this.#dispatcher.onPhase(phase, handler);
    return this;
  }
  /** Adds a handler for the end of the session. */
  onTerminal(handler: TerminalHandler<M>): this {
    validateFunction('handler', handler);
    this.#dispatcher.onTerminal(handler);
    return this;
  }
  /** Takes the errors of handlers, so that the agent goes on. */
  onError(handler: (error: unknown) => void): this {
    validateFunction('handler', handler);
    this.#onError = handler;
    return this;
  }
  /** Adds a ready-made behaviour. */
  use(strategy: Strategy<M>): this {
    validateFunction('strategy.install', given('strategy', strategy).install);
    strategy.install(this);
    return this;
  }

  /** Runs until the session has ended (then tells how) or `stop` is called. */
  async run(): Promise<TerminalResult | undefined> {
    if (this.#running) throw new MacpSdkError('the participant is running already');
    this.#running = true;
    await this.#initiate();
    const stopped = AbortSignal.any([this.#stop.signal, this.#reading.signal]);
    let expired = false;
    const watching = expires(this.#client, this.session.sessionId, this.#auth, stopped).then((seen) => {
      expired = seen;
      if (seen) this.#reading.abort();
    });
    try {
      for await (const item of this.#transport.start(stopped)) {
        await this.#later.between(() => this.#process(item));
        if (this.#result || this.#failure) break;
      }
      if (expired && !this.#result) await this.#endExpired();
    } finally {
      await this.#later.end();
      this.#reading.abort();
      await watching;
    }
    if (this.#failure) throw this.#failure.error;
    return this.#result;
  }

  /** Calls a task after so long, between two messages; not any more when `run` is over. Returns what takes it back. */
  after(ms: number, task: () => Promise<void>): () => void {
    return this.#later.add(ms, () => this.#guard(task));
  }

  /** Handles one envelope as if the stream had brought it. */
  processEvent(envelope: SequencedEnvelope['envelope'], sequence = this.projection.sequence + 1) {
    return this.#process({ envelope, sequence });
  }

  /** Ends `run` after the handler that is running. */
  stop(): void {
    this.#stop.abort();
  }

  /** The ids follow from the session, so an agent that is started again repeats its messages and adds none. */
  async #initiate(): Promise<void> {
    if (!this.#initiator) return;
    const { sessionStart, kickoff } = this.#initiator;
    const { sessionId } = this.session;
    await this.session.start({ ...sessionStart, messageId: `start:${sessionId}` });
    if (!kickoff) return;
    const envelope = buildEnvelope({
      ...kickoff,
      mode: this.projection.mode,
      sessionId,
      sender: this.participantId,
      messageId: `kickoff:${sessionId}`,
    });
    await retrySend(this.#client, envelope, { auth: this.#auth });
  }

  async #process(item: SequencedEnvelope): Promise<void> {
    const previous = this.#phase;
    if (!this.projection.applyEnvelope(item.envelope, { sequence: item.sequence })) return;
    const phase = this.#phase;
    await this.#guard(() => this.#dispatcher.message(toIncoming(item), this.#context));
    if (phase !== previous)
      await this.#guard(() => this.#dispatcher.phase({ phase, previous }, this.#context));
    const result = endOf(item.envelope.messageType, this.projection);
    if (result) await this.#end(result);
  }

  get #phase(): PhaseOf<M> {
    const { projection } = this.session;
    const phase = projection instanceof HandoffProjection ? projection.detailedPhase : projection.phase;
    return phase as PhaseOf<M>;
  }

  #failed(error: unknown): void {
    this.#failure ??= { error };
    this.#reading.abort();
  }

  /** Expiry comes on another stream than envelopes, so this first takes what was accepted before it. */
  async #endExpired(): Promise<void> {
    const afterSequence = this.projection.sequence;
    for await (const item of this.session.client.readHistory(this.session.sessionId, {
      auth: this.#auth,
      afterSequence,
    }))
      await this.#process(item);
    if (!this.#result) await this.#end({ state: 'EXPIRED' });
  }

  async #end(result: TerminalResult): Promise<void> {
    this.#result = result;
    await this.#guard(() => this.#dispatcher.terminal(result, this.#context));
  }

  async #guard(handlers: () => Promise<void>): Promise<void> {
    try {
      await handlers();
    } catch (error) {
      if (!this.#onError) throw error;
      this.#onError(error);
    }
  }
}

function endOf(messageType: string, { commitment }: SessionProjection): TerminalResult | undefined {
  if (messageType === CoreMessageType.SessionCancel) return { state: 'CANCELLED' };
  if (messageType !== CoreMessageType.Commitment) return undefined;
  return { state: 'RESOLVED', ...(commitment && { commitment }) };
}

/**
 * One session as its participants write it: what is the same in every mode.
 *
 * H1. Arguments are checked before anything is sent; the error names the argument.
 * H2. A message that was accepted is applied to the projection; when the stream brings it as well, nothing changes.
 * H3. A call that fails on the way is sent again under the same message id (RetryPolicy), never with another.
 * H4. The Commitment echoes the versions that the session was bound to.
 */
import { corePayloads, type Envelope, type PayloadKind } from '@handover/core';
import type { Ack } from '@handover/wire';
import { given, validateTimeout } from '../arguments.js';
import { type AuthConfig, resolveIdentity, validateAuth } from '../auth.js';
import type { MacpClient, SendOptions } from '../client/client.js';
import { type RetryPolicy, retryPolicyOf, retrySend } from '../client/retry.js';
import type { SessionMetadata } from '../client/types.js';
import { DEFAULT_CONFIGURATION_VERSION, DEFAULT_MODE_VERSION, DEFAULT_POLICY_VERSION } from '../constants.js';
import { buildEnvelope, encodePayload } from '../envelope/build.js';
import { newSessionId } from '../envelope/ids.js';
import { MacpAckError, MacpRetryError, MacpSessionError } from '../errors.js';
import type { MacpStream } from '../stream/macp-stream.js';
import { readWithin } from '../stream/read-within.js';
import type { SequencedEnvelope, SubscribeOptions } from '../stream/subscribe.js';
import { type CallOptions, validateCall } from '../transport/call-options.js';
import { validateId, validateSessionId } from '../validation.js';
import type { OutcomeInput, Speaker, StartInput } from './inputs.js';
import { outcomePayload } from './outcome.js';
import type { SessionProjection } from './projection.js';
import { startPayload } from './start.js';
import type { BoundVersions } from './versions.js';

/** Which session, bound to which versions, as whom. */
export interface SessionOptions {
  /** An existing session, or the id of the one to start; by default a fresh one. */
  readonly sessionId?: string | undefined;
  /** The mode version; there is one, and it is the default. */
  readonly modeVersion?: string | undefined;
  /** The configuration; the default one unless named. */
  readonly configurationVersion?: string | undefined;
  /** The policy; the default one unless named. It must be registered when the session starts. */
  readonly policyVersion?: string | undefined;
  /** The credential, in place of the client's. */
  readonly auth?: AuthConfig | undefined;
  /** How to send again; `false` sends once. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
  /** False leaves the projection to the stream: it then changes in the runtime's order only. */
  readonly applyOwnMessages?: boolean | undefined;
}

/** What sessions of all modes share. `P` is the projection of the mode. */
export abstract class ModeSession<P extends SessionProjection> {
  /** The connection that is used. */
  readonly client: MacpClient;
  /** The session's id. */
  readonly sessionId: string;
  /** The mode version that the session is bound to. */
  readonly modeVersion: string;
  /** The configuration version that the session is bound to. */
  readonly configurationVersion: string;
  /** The policy that the session is bound to. */
  readonly policyVersion: string;
  /** The credential of messages that bring none of their own. */
  readonly auth: AuthConfig | undefined;
  /** What is known of the session. */
  readonly projection: P;
  readonly #retry: Partial<RetryPolicy> | false | undefined;
  readonly #applyOwn: boolean;
  #participants: readonly string[] | undefined;
  #followed = 0;

  protected constructor(client: MacpClient, projection: P, options: SessionOptions) {
    given('client', client);
    given('options', options);
    validateAuth(options.auth);
    this.client = client;
    this.projection = projection;
    this.sessionId = options.sessionId ?? newSessionId();
    this.modeVersion = options.modeVersion ?? DEFAULT_MODE_VERSION;
    this.configurationVersion = options.configurationVersion ?? DEFAULT_CONFIGURATION_VERSION;
    this.policyVersion = options.policyVersion ?? DEFAULT_POLICY_VERSION;
    this.auth = options.auth ?? client.auth;
    if (options.retry !== false) retryPolicyOf(options.retry);
    this.#retry = options.retry;
    this.#applyOwn = options.applyOwnMessages ?? true;
    validateSessionId(this.sessionId);
    validateId('configurationVersion', this.configurationVersion);
    validateId('policyVersion', this.policyVersion);
    if (this.modeVersion !== DEFAULT_MODE_VERSION)
      throw new MacpSessionError(`modeVersion must be ${DEFAULT_MODE_VERSION}`, 'modeVersion');
  }

  /** Opens the session; its sender is the initiator. */
  async start(input: StartInput): Promise<Ack> {
    const { sender } = resolveIdentity(this.auth, given('input', input).auth, input.sender);
    const payload = startPayload(input, (named) => this.participantsFor(named, sender), this);
    const ack = await this.say(corePayloads.SessionStart, payload, input);
    this.#participants = payload.participants;
    return ack;
  }

  /** Ends the session with an outcome. */
  async commit(input: OutcomeInput): Promise<Ack> {
    return this.say(corePayloads.Commitment, outcomePayload(input, this.boundVersions), input);
  }

  /** The session as the runtime shows it. */
  async metadata(auth?: AuthConfig): Promise<SessionMetadata> {
    return (await this.client.getSession(this.sessionId, { auth: auth ?? this.auth })).metadata;
  }

  /** Ends the session without an outcome. */
  cancel(reason = '', auth?: AuthConfig): Promise<Ack> {
    return this.client.cancelSession(this.sessionId, reason, { auth: auth ?? this.auth });
  }

  /** Pauses the session; its clock stands still. */
  suspend(reason = '', auth?: AuthConfig): Promise<Ack> {
    return this.client.suspendSession(this.sessionId, reason, { auth: auth ?? this.auth });
  }

  /** Lets the suspended session go on. */
  resume(reason = '', auth?: AuthConfig): Promise<Ack> {
    return this.client.resumeSession(this.sessionId, reason, { auth: auth ?? this.auth });
  }

  /** A two-way stream; subscribe or send on it yourself. */
  openStream(auth?: AuthConfig): MacpStream {
    return this.client.openStream({ auth: auth ?? this.auth });
  }

  /** Every envelope of the session, past and to come, each applied to the projection first; reconnects. */
  async *follow(options: SubscribeOptions = {}): AsyncGenerator<SequencedEnvelope, void, void> {
    const from = { auth: this.auth, ...options };
    for await (const item of this.client.subscribe(this.sessionId, from)) {
      this.#take(item);
      yield item;
    }
  }

  /** Brings the projection up to date with what the runtime has accepted by now. */
  async sync(options: CallOptions = {}): Promise<P> {
    validateCall(options);
    const { auth = this.auth, deadlineMs, signal } = options;
    const from = { auth, deadlineMs, signal, afterSequence: this.#followed };
    await readWithin(this.client, this.sessionId, from, (item) => this.#take(item));
    return this.projection;
  }

  /** Who takes part, as it is bound; a mode may know better than the caller. */
  protected participantsFor(named: readonly string[], _sender: string): readonly string[] {
    return named;
  }

  /** Who takes part, as far as it is known here. */
  protected get participants(): readonly string[] | undefined {
    return this.#participants ?? this.projection.sessionStart?.participants;
  }

  /** What the SessionStart says, where it is known: a joined session may be bound to other versions than the defaults. */
  protected get boundVersions(): BoundVersions {
    return this.projection.sessionStart ?? this;
  }

  protected speakerOf(speaker: Speaker): string {
    return resolveIdentity(this.auth, speaker.auth, speaker.sender).sender;
  }

  protected async say<T>(kind: PayloadKind<T>, payload: NoInfer<T>, speaker: Speaker): Promise<Ack> {
    const { sender, auth } = resolveIdentity(this.auth, speaker.auth, speaker.sender);
    validateTimeout('deadlineMs', speaker.deadlineMs);
    if (speaker.messageId !== undefined) validateId('messageId', speaker.messageId);
    const envelope = buildEnvelope({
      mode: this.projection.mode,
      messageType: kind.type,
      sessionId: this.sessionId,
      sender,
      messageId: speaker.messageId,
      payload: encodePayload(kind, payload),
    });
    const { deadlineMs, signal } = speaker;
    const ack = await this.#send(envelope, { auth, deadlineMs, signal });
    if (this.#applyOwn) this.projection.applyEnvelope(envelope);
    return ack;
  }

  #take({ sequence, envelope }: SequencedEnvelope): void {
    this.projection.applyEnvelope(envelope, { sequence });
    if (sequence === this.#followed + 1) this.#followed = sequence;
  }

  async #send(envelope: Envelope, options: SendOptions): Promise<Ack> {
    if (this.#retry === false) return this.client.send(envelope, options);
    try {
      return await retrySend(this.client, envelope, { ...options, policy: this.#retry });
    } catch (error) {
      // The last answer was a refusal, which tells the caller more than the number of attempts.
      if (error instanceof MacpRetryError && error.cause instanceof MacpAckError) throw error.cause;
      throw error;
    }
  }
}

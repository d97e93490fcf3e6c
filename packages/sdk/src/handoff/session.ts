import { handoffPayloads } from '@handover/core';
import type { Ack } from '@handover/wire';
import { given, onlyNamed, validateRequiredField, validateTexts } from '../arguments.js';
import type { MacpClient } from '../client/client.js';
import { MacpSessionError } from '../errors.js';
import { ModeSession, type SessionOptions } from '../session/session.js';
import { validateBytes, validateId, validateSpeaker } from '../validation.js';
import type { ContextContent } from './context-content.js';
import { withDefaults } from './default-outcome.js';
import { HAND_OVER_OPTIONS, type HandOverOptions, handOver } from './hand-over.js';
import type { AcceptInput, CommitInput, ContextInput, DeclineInput, OfferInput } from './inputs.js';
import { HandoffProjection } from './projection.js';
import type { HandoffRecord } from './records.js';
import { validateTarget } from './validate-target.js';
import { validateWait, WAIT_OPTIONS, type WaitOptions, waitForAnswer } from './wait-for-answer.js';

const NO_BYTES = new Uint8Array(0);

/** A Handoff session: start, offer, send context, accept or decline, commit. */
export class HandoffSession extends ModeSession<HandoffProjection> {
  /** Sends nothing yet: `start` opens a new session, the other methods join an existing one. */
  constructor(client: MacpClient, options: SessionOptions = {}) {
    super(client, new HandoffProjection(), options);
  }

  /** Offers a handoff to a target participant. */
  async offer(input: OfferInput): Promise<Ack> {
    const { handoffId, targetParticipant, scope = '', reason = '' } = given('input', input);
    validateId('handoffId', handoffId);
    validateTarget('targetParticipant', targetParticipant, this.speakerOf(input), this.participants);
    validateTexts({ scope, reason });
    return this.say(handoffPayloads.HandoffOffer, { handoffId, targetParticipant, scope, reason }, input);
  }

  /** Provides context for a handoff. After the answer it is accepted too, but marked late. */
  async sendContext(input: ContextInput): Promise<Ack> {
    const { handoffId, contentType = 'application/octet-stream', context = NO_BYTES } = given('input', input);
    validateId('handoffId', handoffId);
    validateRequiredField('contentType', contentType);
    validateBytes('context', context);
    return this.say(handoffPayloads.HandoffContext, { handoffId, contentType, context }, input);
  }

  /** Another name for `sendContext`. */
  addContext(input: ContextInput): Promise<Ack> {
    return this.sendContext(input);
  }

  /** Hands over in one call: starts the session if need be, offers, sends the context, waits for the answer, commits it. */
  async handOver(
    target: string,
    context?: ContextContent,
    options: HandOverOptions = {},
  ): Promise<HandoffRecord> {
    validateTarget('target', target, this.speakerOf({}), this.participants);
    return handOver(this, target, context, onlyNamed('options', options, HAND_OVER_OPTIONS));
  }

  /** The handoff once its target, or a policy in its name, has answered. */
  async waitForAnswer(handoffId: string, options: WaitOptions = {}): Promise<HandoffRecord> {
    validateId('handoffId', handoffId);
    validateWait(onlyNamed('options', options, WAIT_OPTIONS));
    return waitForAnswer(this, handoffId, options);
  }

  /** Accepts the handoff, as its target. */
  async acceptHandoff(input: AcceptInput): Promise<Ack> {
    const { handoffId, acceptedBy = this.speakerOf(input), reason = '' } = given('input', input);
    validateId('handoffId', handoffId);
    validateSpeaker('acceptedBy', acceptedBy, this.speakerOf(input));
    validateTexts({ reason });
    return this.say(handoffPayloads.HandoffAccept, { handoffId, acceptedBy, reason, implicit: false }, input);
  }

  /** Declines the handoff, as its target. */
  async decline(input: DeclineInput): Promise<Ack> {
    const { handoffId, declinedBy = this.speakerOf(input), reason = '' } = given('input', input);
    validateId('handoffId', handoffId);
    validateSpeaker('declinedBy', declinedBy, this.speakerOf(input));
    validateTexts({ reason });
    return this.say(handoffPayloads.HandoffDecline, { handoffId, declinedBy, reason }, input);
  }

  /** Ends the session with an outcome. Without arguments the outcome follows from the history. */
  override async commit(input: CommitInput = {}): Promise<Ack> {
    return super.commit(withDefaults(given('input', input), this.projection));
  }

  /** The owner takes part even when the caller named only the others. */
  protected override participantsFor(named: readonly string[], sender: string): readonly string[] {
    const participants = sender === '' || named.includes(sender) ? named : [sender, ...named];
    if (sender !== '' && participants.length < 2)
      throw new MacpSessionError('participants must name a target besides the owner', 'participants');
    return participants;
  }
}

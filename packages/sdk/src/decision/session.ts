import { decisionPayloads, Recommendation, Severity, VoteWord } from '@handover/core';
import type { Ack } from '@handover/wire';
import { given, validateRequiredField, validateTexts } from '../arguments.js';
import type { MacpClient } from '../client/client.js';
import { ModeSession, type SessionOptions } from '../session/session.js';
import { validateBytes, validateConfidence, validateId, validateWord } from '../validation.js';
import type { EvaluateInput, ObjectionInput, ProposeInput, VoteInput } from './inputs.js';
import { DecisionProjection } from './projection.js';

const NO_BYTES = new Uint8Array(0);

/** A Decision session: options are proposed, evaluated, objected to and voted on; a Commitment binds the choice. */
export class DecisionSession extends ModeSession<DecisionProjection> {
  /** Sends nothing yet: `start` opens a new session, the other methods join an existing one. */
  constructor(client: MacpClient, options: SessionOptions = {}) {
    super(client, new DecisionProjection(), options);
  }

  /** Proposes an option; possible until the first vote. */
  async propose(input: ProposeInput): Promise<Ack> {
    const { proposalId, option, rationale = '', supportingData = NO_BYTES } = given('input', input);
    validateId('proposalId', proposalId);
    validateRequiredField('option', option);
    validateTexts({ rationale });
    validateBytes('supportingData', supportingData);
    return this.say(decisionPayloads.Proposal, { proposalId, option, rationale, supportingData }, input);
  }

  /** Says what one thinks of an option; possible until the first vote. */
  async evaluate(input: EvaluateInput): Promise<Ack> {
    const { proposalId, confidence, reason = '' } = given('input', input);
    validateId('proposalId', proposalId);
    const recommendation = validateWord('recommendation', input.recommendation, Recommendation);
    validateConfidence(confidence);
    validateTexts({ reason });
    return this.say(decisionPayloads.Evaluation, { proposalId, recommendation, confidence, reason }, input);
  }

  /** Says what speaks against an option; possible until the first vote. */
  async raiseObjection(input: ObjectionInput): Promise<Ack> {
    const { proposalId, reason } = given('input', input);
    validateId('proposalId', proposalId);
    validateRequiredField('reason', reason);
    const severity = validateWord('severity', input.severity ?? Severity.Medium, Severity);
    return this.say(decisionPayloads.Objection, { proposalId, reason, severity }, input);
  }

  /** Votes on an option, once. */
  async vote(input: VoteInput): Promise<Ack> {
    const { proposalId, reason = '' } = given('input', input);
    validateId('proposalId', proposalId);
    validateTexts({ reason });
    const vote = validateWord('vote', input.vote, VoteWord);
    return this.say(decisionPayloads.Vote, { proposalId, vote, reason }, input);
  }
}

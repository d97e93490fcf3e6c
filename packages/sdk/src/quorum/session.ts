import { type PayloadKind, type QuorumPayloads, quorumPayloads } from '@handover/core';
import type { Ack } from '@handover/wire';
import { given, validateRequiredField, validateTexts } from '../arguments.js';
import type { MacpClient } from '../client/client.js';
import { MAX_PARTICIPANTS } from '../constants.js';
import { ModeSession, type SessionOptions } from '../session/session.js';
import { validateBytes, validateId, validateWhole } from '../validation.js';
import type { ApprovalRequestInput, BallotInput } from './inputs.js';
import { QuorumProjection } from './projection.js';

const NO_BYTES = new Uint8Array(0);

/** A Quorum session: an action needs a number of approvals; each participant casts one ballot. */
export class QuorumSession extends ModeSession<QuorumProjection> {
  /** Sends nothing yet: `start` opens a new session, the other methods join an existing one. */
  constructor(client: MacpClient, options: SessionOptions = {}) {
    super(client, new QuorumProjection(), options);
  }

  /** Asks for approval, as the initiator. */
  async requestApproval(input: ApprovalRequestInput): Promise<Ack> {
    const { requestId, action, summary = '' } = given('input', input);
    const { details = NO_BYTES, requiredApprovals } = input;
    validateId('requestId', requestId);
    validateRequiredField('action', action);
    validateTexts({ summary });
    validateBytes('details', details);
    // More than can take part would not be approved by anybody.
    validateWhole('requiredApprovals', requiredApprovals, 1, this.participants?.length || MAX_PARTICIPANTS);
    const payload = { requestId, action, summary, details, requiredApprovals };
    return this.say(quorumPayloads.ApprovalRequest, payload, input);
  }

  /** Casts one's ballot: yes. */
  approve(input: BallotInput): Promise<Ack> {
    return this.#cast(quorumPayloads.Approve, input);
  }

  /** Casts one's ballot: no. */
  reject(input: BallotInput): Promise<Ack> {
    return this.#cast(quorumPayloads.Reject, input);
  }

  /** Casts one's ballot: neither. It is used up all the same. */
  abstain(input: BallotInput): Promise<Ack> {
    return this.#cast(quorumPayloads.Abstain, input);
  }

  async #cast(kind: PayloadKind<QuorumPayloads['Approve']>, input: BallotInput): Promise<Ack> {
    const { requestId, reason = '' } = given('input', input);
    validateId('requestId', requestId);
    validateTexts({ reason });
    return this.say(kind, { requestId, reason }, input);
  }
}

import { type PayloadKind, type QuorumPayloads, quorumPayloads } from '@handover/core';
import type { Ack } from '@handover/wire';
import type { MacpClient } from '../client/client.js';
import { MacpSessionError } from '../errors.js';
import { ModeSession, type SessionOptions } from '../session/session.js';
import { validateBytes, validateId, validateRequiredField } from '../validation.js';
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
    const { requestId, action, summary = '', details = NO_BYTES, requiredApprovals } = input;
    validateId('requestId', requestId);
    validateRequiredField('action', action);
    validateBytes('details', details);
    const { length } = this.participants ?? [];
    const most = length > 0 ? length : Number.MAX_SAFE_INTEGER;
    if (!Number.isSafeInteger(requiredApprovals) || requiredApprovals < 1 || requiredApprovals > most)
      throw new MacpSessionError(
        'requiredApprovals must be a whole number from 1 to the number of participants',
        'requiredApprovals',
      );
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
    const { requestId, reason = '' } = input;
    validateId('requestId', requestId);
    return this.say(kind, { requestId, reason }, input);
  }
}

/** The payloads of Quorum Mode, and how each looks in JSON. */
import { bytes, string, uint32 } from '../../envelope/json/kinds.js';
import { object } from '../../envelope/json/object-kind.js';
import { payloadTable } from '../../envelope/payload-kind.js';
import { QUORUM_MODE } from './messages.js';

export interface ApprovalRequestPayload {
  readonly requestId: string;
  readonly action: string;
  readonly summary: string;
  readonly details: Uint8Array;
  readonly requiredApprovals: number;
}

export interface BallotPayload {
  readonly requestId: string;
  readonly reason: string;
}

export interface QuorumPayloads {
  ApprovalRequest: ApprovalRequestPayload;
  Approve: BallotPayload;
  Reject: BallotPayload;
  Abstain: BallotPayload;
}

const ballot = object<BallotPayload>({ requestId: string, reason: string });

export const quorumPayloads = payloadTable<QuorumPayloads>(QUORUM_MODE, {
  ApprovalRequest: object({
    requestId: string,
    action: string,
    summary: string,
    details: bytes,
    requiredApprovals: uint32,
  }),
  Approve: ballot,
  Reject: ballot,
  Abstain: ballot,
});

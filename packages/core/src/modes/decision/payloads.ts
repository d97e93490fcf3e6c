/** The payloads of Decision Mode, and how each looks in JSON. */
import { bytes, double, string } from '../../envelope/json/kinds.js';
import { object } from '../../envelope/json/object-kind.js';
import { payloadTable } from '../../envelope/payload-kind.js';
import { DECISION_MODE } from './messages.js';

export interface DecisionProposalPayload {
  readonly proposalId: string;
  readonly option: string;
  readonly rationale: string;
  readonly supportingData: Uint8Array;
}

export interface EvaluationPayload {
  readonly proposalId: string;
  readonly recommendation: string;
  readonly confidence: number;
  readonly reason: string;
}

export interface ObjectionPayload {
  readonly proposalId: string;
  readonly reason: string;
  readonly severity: string;
}

export interface VotePayload {
  readonly proposalId: string;
  readonly vote: string;
  readonly reason: string;
}

export interface DecisionPayloads {
  Proposal: DecisionProposalPayload;
  Evaluation: EvaluationPayload;
  Objection: ObjectionPayload;
  Vote: VotePayload;
}

export const decisionPayloads = payloadTable<DecisionPayloads>(DECISION_MODE, {
  Proposal: object({ proposalId: string, option: string, rationale: string, supportingData: bytes }),
  Evaluation: object({ proposalId: string, recommendation: string, confidence: double, reason: string }),
  Objection: object({ proposalId: string, reason: string, severity: string }),
  Vote: object({ proposalId: string, vote: string, reason: string }),
});

import type { DecisionPayloads } from '@handover/core';
import type { Bindings } from '../payloads.js';
import { bytes, double, string } from '../proto/field.js';
import { message } from '../proto/message.js';

export const decisionPayloadTypes: Bindings<DecisionPayloads> = {
  Proposal: message({
    proposalId: string(1),
    option: string(2),
    rationale: string(3),
    supportingData: bytes(4),
  }),
  Evaluation: message({
    proposalId: string(1),
    recommendation: string(2),
    confidence: double(3),
    reason: string(4),
  }),
  Objection: message({ proposalId: string(1), reason: string(2), severity: string(3) }),
  Vote: message({ proposalId: string(1), vote: string(2), reason: string(3) }),
};

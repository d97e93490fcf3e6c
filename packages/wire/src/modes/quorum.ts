import type { QuorumPayloads } from '@handover/core';
import type { Bindings } from '../payloads.js';
import { bytes, string, uint32 } from '../proto/field.js';
import { message } from '../proto/message.js';

export const quorumPayloadTypes: Bindings<QuorumPayloads> = {
  ApprovalRequest: message({
    requestId: string(1),
    action: string(2),
    summary: string(3),
    details: bytes(4),
    requiredApprovals: uint32(5),
  }),
  Approve: message({ requestId: string(1), reason: string(2) }),
  Reject: message({ requestId: string(1), reason: string(2) }),
  Abstain: message({ requestId: string(1), reason: string(2) }),
};

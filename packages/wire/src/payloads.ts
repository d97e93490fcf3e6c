import type { CommitmentPayload, CommitmentRef, CorePayloads, Root } from '@handover/core';
import { bool, bytes, bytesMap, double, int64, messages, optional, string, strings } from './proto/field.js';
import { type MessageType, message } from './proto/message.js';

const root = message<Root>({ uri: string(1), name: string(2) });
const commitmentRef = message<CommitmentRef>({ sessionId: string(1), commitmentHash: string(2) });

/** Which field of the proto file carries which property, for each payload of a table. */
export type Bindings<Payloads> = { readonly [T in keyof Payloads]: MessageType<Payloads[T]> };

/** Core's own payloads; those of the modes are in ./modes. */
export const corePayloadTypes: Bindings<CorePayloads> = {
  SessionStart: message({
    intent: string(1),
    participants: strings(2),
    modeVersion: string(3),
    configurationVersion: string(4),
    policyVersion: string(5),
    ttlMs: int64(6),
    roots: messages(7, root),
    contextId: string(8),
    extensions: bytesMap(9),
    maxSuspendMs: int64(10),
  }),
  Commitment: message<CommitmentPayload>({
    commitmentId: string(1),
    action: string(2),
    authorityScope: string(3),
    reason: string(4),
    modeVersion: string(5),
    policyVersion: string(6),
    configurationVersion: string(7),
    outcomePositive: bool(8),
    supersedes: optional(9, commitmentRef),
  }),
  SessionCancel: message({ reason: string(1), cancelledBy: string(2) }),
  SessionSuspend: message({ reason: string(1), suspendedBy: string(2) }),
  SessionResume: message({ reason: string(1), resumedBy: string(2), bankedMs: int64(3) }),
  Signal: message({
    signalType: string(1),
    data: bytes(2),
    confidence: double(3),
    correlationSessionId: string(4),
  }),
  Progress: message({
    progressToken: string(1),
    progress: double(2),
    total: double(3),
    message: string(4),
    targetMessageId: string(5),
  }),
};

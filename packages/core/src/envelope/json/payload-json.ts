/** The payloads that core knows, as JSON: one table, field by field. All else travels as base64. */
import type { JsonObject } from '../../log/json.js';
import { HANDOFF_MODE } from '../../modes/handoff/messages.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { Codec } from '../codec.js';
import type { CommitmentPayload, CommitmentRef, PayloadByType, PayloadType, Root } from '../payloads.js';
import { JsonReading } from './json-reading.js';
import { bool, bytes, bytesMap, double, int64, list, saidBool, string } from './kinds.js';
import { type ObjectKind, object, optional } from './object-kind.js';

const root = object<Root>({ uri: string, name: string });
const commitmentRef = object<CommitmentRef>({ sessionId: string, commitmentHash: string });

export const PAYLOAD_KINDS: { readonly [T in PayloadType]: ObjectKind<PayloadByType[T]> } = {
  SessionStart: object({
    intent: string,
    participants: list(string),
    modeVersion: string,
    configurationVersion: string,
    policyVersion: string,
    ttlMs: int64,
    roots: list(root),
    contextId: string,
    extensions: bytesMap,
    maxSuspendMs: int64,
  }),
  Commitment: object<CommitmentPayload>({
    commitmentId: string,
    action: string,
    authorityScope: string,
    reason: string,
    modeVersion: string,
    policyVersion: string,
    configurationVersion: string,
    // Its absence would be read as a negative outcome.
    outcomePositive: saidBool,
    supersedes: optional(commitmentRef),
  }),
  SessionCancel: object({ reason: string, cancelledBy: string }),
  SessionSuspend: object({ reason: string, suspendedBy: string }),
  SessionResume: object({ reason: string, resumedBy: string, bankedMs: int64 }),
  Signal: object({ signalType: string, data: bytes, confidence: double, correlationSessionId: string }),
  Progress: object({
    progressToken: string,
    progress: double,
    total: double,
    message: string,
    targetMessageId: string,
  }),
  HandoffOffer: object({ handoffId: string, targetParticipant: string, scope: string, reason: string }),
  HandoffContext: object({ handoffId: string, contentType: string, context: bytes }),
  HandoffAccept: object({ handoffId: string, acceptedBy: string, reason: string, implicit: bool }),
  HandoffDecline: object({ handoffId: string, declinedBy: string, reason: string }),
};

const MODE_OF_TYPE: Readonly<Partial<Record<PayloadType, string>>> = {
  HandoffOffer: HANDOFF_MODE,
  HandoffContext: HANDOFF_MODE,
  HandoffAccept: HANDOFF_MODE,
  HandoffDecline: HANDOFF_MODE,
};

/** Which payload a message carries; undefined when core does not know. Another mode may use a name for its own. */
export function payloadTypeOf(messageType: string, mode: string): PayloadType | undefined {
  if (!Object.hasOwn(PAYLOAD_KINDS, messageType)) return undefined;
  const type = messageType as PayloadType;
  return (MODE_OF_TYPE[type] ?? mode) === mode ? type : undefined;
}

export function payloadToJson<T extends PayloadType>(
  type: T,
  payload: PayloadByType[T],
  codec: Codec,
): JsonObject {
  return PAYLOAD_KINDS[type].write(payload, codec);
}

export type PayloadReading<T extends PayloadType> =
  | { readonly payload: PayloadByType[T] }
  | { readonly rejection: Rejection };

export function payloadFromJson<T extends PayloadType>(
  type: T,
  json: unknown,
  codec: Codec,
): PayloadReading<T> {
  const reading = new JsonReading(codec);
  const payload = PAYLOAD_KINDS[type].read(json, 'payload', reading);
  if (reading.flaw === undefined) return { payload };
  return { rejection: reject(RejectionCode.INVALID_ENVELOPE, reading.flaw) };
}

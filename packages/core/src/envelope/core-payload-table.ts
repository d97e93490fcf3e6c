/** Core's own payloads by message type, and how each looks in JSON. */
import { bytes, bytesMap, double, int64, list, saidBool, string } from './json/kinds.js';
import { POLICY_NAMES } from './json/misspelt.js';
import { object, optional } from './json/object-kind.js';
import { payloadTable } from './payload-kind.js';
import type {
  CommitmentPayload,
  CommitmentRef,
  CorePayloads,
  Root,
  SessionStartPayload,
} from './payloads.js';

const root = object<Root>({ uri: string, name: string });
const commitmentRef = object<CommitmentRef>({ sessionId: string, commitmentHash: string });

export const corePayloads = payloadTable<CorePayloads>('', {
  SessionStart: object<SessionStartPayload>(
    {
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
    },
    {},
    POLICY_NAMES,
  ),
  Commitment: object<CommitmentPayload>(
    {
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
    },
    {},
    POLICY_NAMES,
  ),
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
});

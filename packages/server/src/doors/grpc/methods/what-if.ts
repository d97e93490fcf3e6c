/** WhatIfReplay. Outcomes are encoded page by page, as they come: parts of a message that stand one after another are one. */
import { type NewPolicy, RejectionCode, reject } from '@handover/core';
import { encodeMessage, type MessageShape, pb } from '@handover/wire';
import type { AskedCandidate } from '../../../services/macp/what-if.js';
import type { DoorContext } from '../context.js';
import { statusOfRejection } from '../errors.js';
import { toWhatIfEnd, toWhatIfEntries } from '../translate-what-if.js';
import { authenticatedCall } from '../unary.js';
import { readRulesText } from './rules-text.js';

export function whatIfMethods(context: DoorContext) {
  const { whatIf } = context;
  return {
    whatIfReplay: authenticatedCall(
      context,
      pb.WhatIfReplayRequestSchema,
      async (principal, { sessionId, candidate }) => {
        const parts: Uint8Array[] = [];
        const outcome = await whatIf.replay(principal, sessionId, askedCandidate(candidate), (entries) => {
          parts.push(encodeMessage(pb.WhatIfReplayResponseSchema, toWhatIfEntries(entries)));
        });
        if ('rejection' in outcome) return statusOfRejection(outcome.rejection);
        const { recordedPolicyId, recorded, candidate: under, firstDivergence } = outcome.value;
        const whole = encodeMessage(pb.WhatIfReplayResponseSchema, {
          candidatePolicyId: candidate?.policyId ?? '',
          recordedPolicyId,
          recorded: toWhatIfEnd(recorded),
          candidate: toWhatIfEnd(under),
          ...(firstDivergence !== undefined && { firstDivergence: BigInt(firstDivergence) }),
        });
        return Buffer.concat([whole, ...parts]);
      },
    ),
  };
}

function askedCandidate(
  candidate: MessageShape<typeof pb.PolicyDescriptorSchema> | undefined,
): AskedCandidate {
  if (!candidate) return reject(RejectionCode.INVALID_REQUEST, 'candidate is missing');
  const { policyId, mode, description, schemaVersion, rules } = candidate;
  const reading = readRulesText(rules);
  if ('error' in reading)
    return reject(RejectionCode.INVALID_POLICY_DEFINITION, `candidate: ${reading.error}`);
  return { policyId, mode, description, schemaVersion, rules: reading.rules } satisfies NewPolicy;
}

/** WhatIfReplay. Outcomes are encoded page by page, as they come: parts of a message that stand one after another are one. */
import { encodeMessage, pb } from '@handover/wire';
import { toWhatIfEnd, toWhatIfEntries } from '../../../services/macp/rpc/translate-what-if.js';
import { askedCandidate } from '../../../services/macp/rpc/what-if.js';
import type { DoorContext } from '../context.js';
import { statusOfRejection } from '../errors.js';
import { authenticatedCall } from '../unary.js';

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

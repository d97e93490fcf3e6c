/** WhatIfReplay. Its outcomes are given out page by page, as they come. */
import { type NewPolicy, RejectionCode, reject } from '@handover/core';
import { type MessageShape, methods, type pb } from '@handover/wire';
import type { MacpServices } from '../macp-services.js';
import type { AskedCandidate } from '../what-if.js';
import { authenticatedRpc, type UnaryRpcs } from './rpc.js';
import { readRulesText } from './rules-text.js';
import { toWhatIfEnd, toWhatIfEntries } from './translate-what-if.js';

export function whatIfRpcs({ whatIf }: Pick<MacpServices, 'whatIf'>): UnaryRpcs<'whatIfReplay'> {
  return {
    whatIfReplay: authenticatedRpc(methods.whatIfReplay, async (caller, { sessionId, candidate }, take) => {
      const outcome = await whatIf.replay(caller, sessionId, askedCandidate(candidate), (entries) =>
        take(toWhatIfEntries(entries)),
      );
      if ('rejection' in outcome) return outcome;
      const { recordedPolicyId, recorded, candidate: under, firstDivergence } = outcome.value;
      return {
        value: {
          candidatePolicyId: candidate?.policyId ?? '',
          recordedPolicyId,
          recorded: toWhatIfEnd(recorded),
          candidate: toWhatIfEnd(under),
          ...(firstDivergence !== undefined && { firstDivergence: BigInt(firstDivergence) }),
        },
      };
    }),
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

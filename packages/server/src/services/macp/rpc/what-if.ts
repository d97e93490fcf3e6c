/**
 * WhatIfReplay. Its outcomes are encoded page by page, as they come: parts of a message that stand one after another are
 * one, and a whole history of outcomes encoded at once would hold up everything else.
 */
import { type NewPolicy, RejectionCode, reject } from '@handover/core';
import { encodeMessage, type MessageInitShape, type MessageShape, methods, type pb } from '@handover/wire';
import type { MacpServices } from '../macp-services.js';
import type { AskedCandidate } from '../what-if.js';
import { authenticatedRpc, type UnaryRpcs } from './rpc.js';
import { readRulesText } from './rules-text.js';
import { toWhatIfEnd, toWhatIfEntries } from './translate-what-if.js';

const { output } = methods.whatIfReplay;
const part = (fields: MessageInitShape<typeof output>) => encodeMessage(output, fields);

export function whatIfRpcs({ whatIf }: MacpServices): UnaryRpcs<'whatIfReplay'> {
  return {
    whatIfReplay: authenticatedRpc(methods.whatIfReplay, async (caller, { sessionId, candidate }) => {
      const pages: Uint8Array[] = [];
      const outcome = await whatIf.replay(caller, sessionId, askedCandidate(candidate), (entries) => {
        pages.push(part(toWhatIfEntries(entries)));
      });
      if ('rejection' in outcome) return outcome;
      const { recordedPolicyId, recorded, candidate: under, firstDivergence } = outcome.value;
      const ends = part({
        candidatePolicyId: candidate?.policyId ?? '',
        recordedPolicyId,
        recorded: toWhatIfEnd(recorded),
        candidate: toWhatIfEnd(under),
        ...(firstDivergence !== undefined && { firstDivergence: BigInt(firstDivergence) }),
      });
      return { bytes: Buffer.concat([ends, ...pages]) };
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

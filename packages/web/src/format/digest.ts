/**
 * Whether a record is what its digest says. The page computes the digest again from the very objects that it shows and
 * gives to the wallet: if it differs from what the agent was given, somebody changed something in between.
 */
import { canonicalJson, type Json, type JsonObject } from '@handover/core';
import { deploymentSteps, operationDigest, type Signed, sha256 } from '@handover/evm';
import type { HandoffRecord } from '../model/record.js';

/** Records come as JSON: their unknown members are JSON too. */
function signedOf(record: HandoffRecord): Signed {
  switch (record.family) {
    case 'bundle_deploy':
      return { bundle: record.bundle as JsonObject };
    case 'session_start':
      return { request: record.request as unknown as JsonObject };
    case 'operation':
      return {
        steps: record.steps.map(({ id, txRequest }) => ({
          id,
          ...(txRequest && { txRequest: txRequest as JsonObject }),
        })),
      };
  }
}

const codec = { sha256, utf8: (text: string) => new TextEncoder().encode(text) };

export const digestOf = (record: HandoffRecord): string =>
  operationDigest(record.chainId, signedOf(record), codec);

/** The digest of a bundle does not cover the texts of its steps: they must be the ones that follow from it. */
export function hasOwnTexts(record: HandoffRecord): boolean {
  if (record.family !== 'bundle_deploy') return true;
  const given = record.steps.map(({ deployment }) => deployment ?? null);
  return asText(given) === asText(deploymentSteps(record.bundle));
}

const asText = (value: unknown): string => canonicalJson(value as Json);

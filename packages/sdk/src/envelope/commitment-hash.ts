import { type CommitmentPayload, canonicalJson } from '@handover/core';
import { codec } from '../codec.js';

const DOMAIN = 'macp-commitment-hash/1:';

/** The canonical hash of a Commitment (RFC-MACP-0013), by which a later one can supersede it. */
export function commitmentHash(commitment: CommitmentPayload): string {
  const { supersedes } = commitment;
  const json = canonicalJson({
    commitment_id: commitment.commitmentId,
    action: commitment.action,
    authority_scope: commitment.authorityScope,
    reason: commitment.reason,
    mode_version: commitment.modeVersion,
    policy_version: commitment.policyVersion,
    configuration_version: commitment.configurationVersion,
    outcome_positive: commitment.outcomePositive,
    ...(supersedes && {
      supersedes: { session_id: supersedes.sessionId, commitment_hash: supersedes.commitmentHash },
    }),
  });
  return `sha256:${codec.sha256(codec.utf8(DOMAIN + json))}`;
}

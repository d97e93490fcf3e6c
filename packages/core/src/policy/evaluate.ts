/** Evaluation: a pure function of the frozen rules. What they do not allow explicitly is denied. */
import { type Denial, type Rejection, RejectionCode } from '../rejection.js';
import type { FrozenPolicy } from './descriptor.js';
import { CommitmentAuthority, type CommitmentRules } from './rules.js';

/** Schema versions whose meaning is known; 2 adds keys of Decision Mode, 3 changes what an empty tally means there. */
export const KNOWN_SCHEMA_VERSIONS: ReadonlySet<number> = new Set([1, 2, 3]);

/** Why a policy says no; readers treat the codes as an open set. The first two do not depend on a mode. */
export const DenialCode = {
  UnsupportedSchemaVersion: 'unsupported_schema_version',
  InvalidRules: 'invalid_rules',
  Veto: 'veto',
  VetoHold: 'veto_hold',
  QuorumNotMet: 'quorum_not_met',
  ThresholdNotMet: 'threshold_not_met',
  ConfidenceBelowMinimum: 'confidence_below_minimum',
  EvaluationRequired: 'evaluation_required',
  NoVotes: 'no_votes',
  DeclineOverApproval: 'decline_over_approval',
  DeclineNotBacked: 'decline_not_backed',
  CriterionNotMet: 'criterion_not_met',
  OutputRequired: 'output_required',
  ReassignmentNotAllowed: 'reassignment_not_allowed',
} as const;

export type PolicyName = Pick<FrozenPolicy, 'policyId' | 'schemaVersion'>;

/** Why the policy itself forbids any Commitment, whatever the mode says of it; empty when it does not. */
export function policyDenials(
  { policyId, schemaVersion }: PolicyName,
  flaws: readonly string[],
): readonly Denial[] {
  const denials: Denial[] = [];
  if (!KNOWN_SCHEMA_VERSIONS.has(schemaVersion))
    denials.push({
      code: DenialCode.UnsupportedSchemaVersion,
      message: `policy ${policyId} has schema_version ${schemaVersion}, which this runtime does not know`,
    });
  for (const flaw of flaws)
    denials.push({ code: DenialCode.InvalidRules, message: `policy ${policyId}: ${flaw}` });
  return denials;
}

/** The refusal of a Commitment, or of another message, with every reason for it. */
export function policyDenied(
  { policyId }: PolicyName,
  what: string,
  denials: readonly Denial[],
): Rejection | undefined {
  if (denials.length === 0) return undefined;
  return {
    code: RejectionCode.POLICY_DENIED,
    message: `policy ${policyId} denies this ${what}`,
    reasons: denials.map(({ message }) => message),
    denials,
  };
}

export interface Parties {
  readonly initiator: string;
  readonly participants: readonly string[];
}

/** Who may bind the outcome. Roles are plain sender ids; a designated sender need not be a participant. */
export function mayCommit(rules: CommitmentRules, parties: Parties, sender: string): boolean {
  switch (rules.authority) {
    case CommitmentAuthority.InitiatorOnly:
      return sender === parties.initiator;
    case CommitmentAuthority.AnyParticipant:
      return sender === parties.initiator || parties.participants.includes(sender);
    case CommitmentAuthority.DesignatedRole:
      return rules.designatedRoles.includes(sender);
  }
}

/** Cancel, suspend, resume: the initiator always, and whoever may commit. */
export function mayControl(rules: CommitmentRules, parties: Parties, sender: string): boolean {
  return sender === parties.initiator || mayCommit(rules, parties, sender);
}

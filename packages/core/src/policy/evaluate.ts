/** Evaluation: a pure function of the frozen rules. Anything but an explicit yes is a no. */
import type { FrozenPolicy } from './descriptor.js';
import { CommitmentAuthority, type PolicyRules, type RulesReading } from './rules.js';

/** Schema versions whose meaning is known; 2 only adds keys for other modes. */
export const KNOWN_SCHEMA_VERSIONS: ReadonlySet<number> = new Set([1, 2]);

/** Why the policy itself forbids any Commitment; empty when it does not. */
export function denials(policy: FrozenPolicy, reading: RulesReading): readonly string[] {
  const reasons: string[] = [];
  if (!KNOWN_SCHEMA_VERSIONS.has(policy.schemaVersion))
    reasons.push(
      `policy ${policy.policyId} has schema_version ${policy.schemaVersion}, which this runtime does not know`,
    );
  if ('flaws' in reading) reasons.push(...reading.flaws.map((flaw) => `policy ${policy.policyId}: ${flaw}`));
  return reasons;
}

export interface Parties {
  readonly initiator: string;
  readonly participants: readonly string[];
}

/** Who may bind the outcome. Roles are plain sender ids; a designated sender need not be a participant. */
export function mayCommit(rules: PolicyRules, parties: Parties, sender: string): boolean {
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
export function mayControl(rules: PolicyRules, parties: Parties, sender: string): boolean {
  return sender === parties.initiator || mayCommit(rules, parties, sender);
}

import { type AnyMode, beginMode } from '../modes/registry.js';
import type { FrozenPolicy } from '../policy/descriptor.js';
import { mayCommit } from '../policy/evaluate.js';

/** Whether an owner that offers under this policy could commit itself, and so can say in advance that it does. */
export function ownerMayCommit(mode: AnyMode, policy: FrozenPolicy, owner: string, target: string): boolean {
  const parties = { initiator: owner, participants: [owner, target] };
  return mayCommit(beginMode(mode, policy).authority, parties, owner);
}

import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { DEFAULT_POLICY_VERSION } from '../constants.js';
import { implicitAnswerTimeoutOf } from './handoff-policy.js';

/** Enough for every policy of a runtime; the oldest is forgotten. */
const REMEMBERED = 1_000;
const known = new WeakMap<MacpClient, Map<string, number>>();

/** After how many milliseconds the policy answers in a silent target's name; 0 is never, or not known. */
export async function policyAnswersAfter(
  client: MacpClient,
  policyVersion: string,
  auth: AuthConfig | undefined,
): Promise<number> {
  if (policyVersion === '' || policyVersion === DEFAULT_POLICY_VERSION) return 0;
  const policies = known.get(client) ?? new Map<string, number>();
  known.set(client, policies);
  const before = policies.get(policyVersion);
  if (before !== undefined) return before;
  try {
    const after = implicitAnswerTimeoutOf(await client.getPolicy(policyVersion, { auth }));
    for (const oldest of policies.keys()) if (policies.size >= REMEMBERED) policies.delete(oldest);
    policies.set(policyVersion, after);
    return after;
  } catch {
    // It was unregistered since, or cannot be asked for now: the wait is then what the caller said.
    return 0;
  }
}

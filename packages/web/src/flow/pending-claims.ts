/** Keeps a claim that the server does not have yet for this tab, so that a reload does not lose it. */
import type { Claim } from './family.js';

const key = (id: string, stepId: string) => `handover.claim.${id}.${stepId}`;

export function keepClaim(id: string, stepId: string, claim: Claim): void {
  try {
    window.sessionStorage.setItem(key(id, stepId), JSON.stringify(claim));
  } catch {
    // Without storage a reload loses the claim; the person can still enter it by hand.
  }
}

export function dropClaim(id: string, stepId: string): void {
  try {
    window.sessionStorage.removeItem(key(id, stepId));
  } catch {
    // Nothing was kept.
  }
}

export function keptClaim(id: string, stepId: string): Claim | undefined {
  try {
    const text = window.sessionStorage.getItem(key(id, stepId));
    return text === null ? undefined : (JSON.parse(text) as Claim);
  } catch {
    return undefined;
  }
}

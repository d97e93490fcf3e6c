/** What readers are shown of the claims of a step: the one that counts, and the word of the chain about it. */
import { isDoneEffect } from './effect.js';
import { ClaimStanding, type ClaimState, type OperationState, type StepState } from './state.js';
import { ClaimKind, StepStatus, Verification } from './words.js';

/** The settled claim, else the newest. */
export function shownClaim({ claims }: Pick<StepState, 'claims'>): ClaimState | undefined {
  return (
    claims.find(({ standing }) => standing === ClaimStanding.Done) ??
    claims.findLast(({ standing }) => standing !== ClaimStanding.Aside) ??
    claims.at(-1)
  );
}

/** The hash that readers are shown; undefined: what was claimed is no transaction. */
export function shownHash({ kind, carrier, value }: ClaimState): string | undefined {
  return kind === ClaimKind.Session || kind === ClaimKind.Calls ? carrier : (carrier ?? value);
}

export function verificationOfStep(step: StepState): Verification {
  if (isDoneEffect(step.effect)) return Verification.Matched;
  return shownClaim(step)?.verification ?? Verification.Unverified;
}

/** The verification of the whole record: that of its result if it has one, else what follows from the steps. */
export function verificationOf({ result, steps }: OperationState): Verification {
  if (result) return result.verification;
  const words = new Set(steps.filter(({ claims }) => claims.length > 0).map(verificationOfStep));
  const steady =
    steps.length > 0 &&
    steps.every(({ status }) => status === StepStatus.Confirmed || status === StepStatus.Skipped);
  for (const word of [Verification.Mismatched, Verification.Reorged, Verification.Pending])
    if (words.has(word)) return word;
  if (words.has(Verification.Unverified) || words.size === 0) return Verification.Unverified;
  return steady ? Verification.Matched : Verification.Pending;
}

const SEEN: readonly ClaimStanding[] = [ClaimStanding.Done, ClaimStanding.Nothing, ClaimStanding.Different];

/**
 * Whose account did it, where the chain has shown it. What a contract account did is sent by anybody: then it is the account
 * for which it was found.
 */
export function claimAccount(
  { asks, signer }: Pick<OperationState, 'asks' | 'signer'>,
  { from }: Pick<StepState, 'from'>,
  { sender, owner, standing, ask: answered }: ClaimState,
): string | undefined {
  if (sender !== undefined) return sender;
  if (!SEEN.includes(standing)) return undefined;
  return owner ?? from ?? signer ?? asks.find(({ id }) => id === answered)?.account;
}

/** The account of the transaction that counts for a step; undefined: none does yet. */
export function countedAccount(state: OperationState, step: StepState): string | undefined {
  const done = step.claims.find(({ standing }) => standing === ClaimStanding.Done);
  return done && claimAccount(state, step, done);
}

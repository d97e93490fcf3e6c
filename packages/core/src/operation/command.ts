import type { BlockRef, Family, OperationStatus, StepClaim, StepStatus, Verification } from './state.js';

/** Who may end it before anything was sent. */
export type CancelledBy = 'creator' | 'admin' | 'secret' | 'person';

export interface NewStep {
  readonly id: string;
  readonly from?: string;
  /** Nothing to sign here: what it would make is already there. */
  readonly skipped?: boolean;
}

/** The browser's name on entries: a person, known by the secret alone. */
export const BROWSER_ACTOR = '_browser';

/** What the chain says of a claim. Reverted: it matched, and did nothing. */
export type ChainVerdict = Exclude<Verification, 'unverified'> | 'reverted';

/** Payloads are JSON bytes that the service has checked; core does not look inside. */
export type OperationCommand =
  | {
      readonly kind: 'create';
      readonly family: Family;
      readonly chainId: number;
      readonly ttlMs: number;
      readonly digest: string;
      readonly steps: readonly NewStep[];
      readonly watched: boolean;
      readonly signer?: string;
      readonly payload: Uint8Array;
    }
  /** From the browser: a claim, never more. */
  | {
      readonly kind: 'post';
      readonly status: OperationStatus;
      readonly step?: { readonly id: string; readonly status: StepStatus; readonly claim?: StepClaim };
      readonly account?: string;
      /** Transactions that are named outside of steps. */
      readonly claims?: boolean;
      readonly payload: Uint8Array;
    }
  | {
      readonly kind: 'result';
      readonly outcome: OperationStatus;
      readonly digest: string;
      readonly payload: Uint8Array;
    }
  | { readonly kind: 'cancel'; readonly by: CancelledBy }
  /** From the server's own reading of the chain. */
  | {
      readonly kind: 'verified';
      /** A step and the claim that was looked at, or the digest of a result. */
      readonly subject: { readonly step: string; readonly claim: string } | { readonly result: string };
      readonly verdict: ChainVerdict;
      readonly block?: BlockRef;
      readonly reason?: string;
    };

import type { BlockRef, Family, OperationStatus, StepClaim, StepStatus, Verification } from './state.js';

/** Who may cancel an operation before anything was sent. */
export type CancelledBy = 'creator' | 'admin' | 'secret' | 'person';

export interface NewStep {
  readonly id: string;
  readonly from?: string;
  /** Nothing to sign here: what the step would create already exists. */
  readonly skipped?: boolean;
}

/** What the chain says of a claim. `reverted`: the transaction matched, but had no effect. */
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
  /** From the browser. It is only a claim. */
  | {
      readonly kind: 'post';
      readonly status: OperationStatus;
      readonly step?: { readonly id: string; readonly status: StepStatus; readonly claim?: StepClaim };
      readonly account?: string;
      /** Whether it names transactions outside of steps. */
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

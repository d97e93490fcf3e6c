import type { BlockRef, BoundBy, ClosedBy, EarlierRecord, RepeatedRecord, SessionAsk } from './state.js';
import type { StepCall } from './step-call.js';
import type {
  AskAnswer,
  ClaimKind,
  ClaimSource,
  Family,
  OperationStatus,
  ReasonCode,
  Verification,
} from './words.js';

export interface NewStep {
  readonly id: string;
  readonly from?: string;
  /** Nothing to sign here: what the step would create already exists. */
  readonly skipped?: boolean;
  /** Names what the step asks of the chain: the same for all steps of one creator that ask for the same. */
  readonly like?: string;
  /** What it asks of the chain, for whoever reads a receipt. */
  readonly call?: StepCall;
}

/** The actor of entries that come from a browser: whoever holds the link, and is known by nothing else. */
export const BROWSER_ACTOR = '_browser';

export interface NewAsk {
  readonly id: string;
  readonly clientAsk?: string;
  readonly steps: readonly string[];
  readonly account?: string;
  readonly head?: number;
  readonly nonce?: number;
  readonly pendingNonce?: number;
  readonly session?: SessionAsk;
  readonly nextSession?: string;
}

export interface NewClaim {
  /** Absent: it is not known which one. */
  readonly step?: string;
  readonly kind: ClaimKind;
  readonly value: string;
  /** Absent: the only ask that it can answer, or none. */
  readonly ask?: string;
  readonly source: ClaimSource;
  readonly owner?: string;
  readonly contract?: string;
}

/**
 * What the chain says of one claim. `pending`, `reorged` and `shallow` (not as asked, but not deep enough to be sure) are
 * news; `faster` gives its value another hash; the others settle it.
 */
export type Verdict =
  | 'pending'
  | 'reorged'
  | 'shallow'
  | 'faster'
  | 'matched'
  | 'reverted'
  | 'replaced'
  | 'different'
  | 'aside';

export interface Judgement {
  /** Absent: the claim names no step. */
  readonly step?: string;
  readonly value: string;
  readonly verdict: Verdict;
  /** The step that a claim without one turned out to serve. */
  readonly serves?: string;
  readonly block?: BlockRef;
  readonly carrier?: string;
  /** Where the call stands inside its carrier, by name; more than one: it was made as often. Absent: it is the carrier. */
  readonly frames?: readonly string[];
  readonly proof?: string;
  /** What the value turned out to be. */
  readonly kind?: ClaimKind;
  /** How many owners have to sign, as the contract of the account says. */
  readonly owners?: number;
  /** What a transaction without effect has cost. */
  readonly fee?: string;
  readonly boundBy?: BoundBy;
  readonly contract?: string;
  /** Who signed the transaction, and its number: by them a transaction is found that took its place. */
  readonly sender?: string;
  readonly nonce?: number;
  readonly reason?: ReasonCode;
  readonly detail?: string;
  /** The hash that took the place of this one. */
  readonly by?: string;
}

/** Payloads are JSON bytes that the service has checked; core does not look inside. */
export type OperationCommand =
  | {
      readonly kind: 'create';
      readonly family: Family;
      readonly chainId: number;
      readonly ttlMs: number;
      readonly lateMs: number;
      readonly digest: string;
      readonly steps: readonly NewStep[];
      readonly watched: boolean;
      readonly head?: number;
      readonly nextSession?: string;
      readonly signer?: string;
      /** Names the caller's whole request, so that a retry is told from another request under the same key. */
      readonly request?: string;
      /** Names what is asked of the chain: the same for all requests of one creator that ask for the same. */
      readonly likeness?: string;
      readonly replaces?: EarlierRecord;
      readonly repeats?: RepeatedRecord;
      readonly payload: Uint8Array;
    }
  /** A record of an older revision goes on under the rules of this one. */
  | { readonly kind: 'raise' }
  /** A page was opened, a wallet connected. */
  | {
      readonly kind: 'begin';
      readonly status: OperationStatus;
      readonly account?: string;
      readonly head?: number;
      readonly payload: Uint8Array;
    }
  | { readonly kind: 'ask'; readonly ask: NewAsk }
  | {
      readonly kind: 'answer';
      /** Absent: the newest. */
      readonly ask?: string;
      readonly answer: Exclude<AskAnswer, 'claim'>;
      readonly walletCode?: number;
      readonly payload: Uint8Array;
    }
  | { readonly kind: 'claim'; readonly claim: NewClaim }
  | {
      readonly kind: 'result';
      readonly outcome: OperationStatus;
      readonly digest: string;
      readonly payload: Uint8Array;
    }
  | {
      readonly kind: 'close';
      readonly by: ClosedBy;
      /** To make way for this one: refused unless it is known that nothing was sent. */
      readonly replacedBy?: string;
    }
  /** From the server's own reading of the chain. */
  | { readonly kind: 'judge'; readonly judgement: Judgement }
  | {
      readonly kind: 'judgeResult';
      readonly digest: string;
      readonly verdict: Exclude<Verification, 'unverified'>;
      /** The steps that the result shows to be done. */
      readonly shown: readonly string[];
      readonly reason?: string;
    }
  /** An ask that came to nothing, as the chain shows. */
  | {
      readonly kind: 'settleAsk';
      readonly ask: string;
      /** Up to which block the chain shows nothing of it. */
      readonly through?: number;
    };

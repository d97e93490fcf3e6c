/** What a page wants, as its body says it. The service adds what only the server knows, and makes commands of it. */
import type { AskAnswer, NewClaim, OperationStatus, SessionAsk } from '@handover/core';

export type PageWish =
  | {
      readonly kind: 'begin';
      readonly status: OperationStatus;
      readonly account?: string;
      readonly payload: Uint8Array;
    }
  | AskWish
  | {
      readonly kind: 'answer';
      readonly ask?: string;
      readonly answer: Exclude<AskAnswer, 'claim'>;
      readonly walletCode?: number;
      readonly payload: Uint8Array;
    }
  | { readonly kind: 'claims'; readonly claims: readonly NewClaim[] }
  | { readonly kind: 'close' }
  | {
      readonly kind: 'result';
      readonly outcome: OperationStatus;
      readonly digest: string;
      readonly payload: Uint8Array;
    }
  /** Something that no page may say. It is refused with the present state, so that the page can go on. */
  | { readonly kind: 'forbidden'; readonly word: string };

export interface AskWish {
  readonly kind: 'ask';
  readonly steps: readonly string[];
  readonly account?: string;
  /** The page's own id for it: a repeated post with the same one makes no second ask. */
  readonly clientAsk?: string;
  readonly session?: SessionAsk;
}

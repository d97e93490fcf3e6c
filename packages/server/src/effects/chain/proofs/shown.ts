/** What one proof shows of a call that an account was asked to make, inside a transaction that was mined. */
import type { AskedCall } from '@handover/evm';
import type { ChainClient, ChainReceipt, Hex } from '../../../chain/port.js';
import type { Execution } from './executions.js';

export const ProofName = { Trace: 'trace', SafeEvent: 'safe_event', Effects: 'effects' } as const;
export type ProofName = (typeof ProofName)[keyof typeof ProofName];

export type Shown =
  /** The account made the call, and so often. */
  | { readonly kind: 'done'; readonly proof: ProofName; readonly times: number }
  /** It was to be made, and came to nothing. */
  | { readonly kind: 'failed' }
  /** The account did something else. */
  | { readonly kind: 'other'; readonly detail: string }
  /** The transaction has nothing to do with the account. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unproven' };

/** What a proof looks at. */
export interface Inner {
  readonly client: ChainClient;
  readonly account: Hex;
  readonly asked: AskedCall;
  readonly receipt: ChainReceipt;
  /** What the log of the transaction tells of the account. */
  readonly executions: readonly Execution[];
  /** Singletons of Safes that the operator trusts. */
  readonly singletons: readonly string[];
}

/** What differs between the three families: how steps are reported, and what one step asks of the wallet. */
import type { Step } from '../model/record.js';
import type { Provider } from '../wallet/provider.js';

export interface Claim {
  readonly txHash?: string;
  readonly sessionId?: string;
  readonly owner?: string;
  /** Signed and perhaps sent: to be looked up before anybody says that it happened. */
  readonly unsure?: boolean;
}

export interface Signer {
  readonly provider: Provider;
  readonly account: string;
}

/** Made before anything is asked of the person; `ask` opens the wallet. */
export interface Prepared {
  ask(tell: (phase: 'wallet' | 'sending') => void): Promise<Claim>;
}

/** Something in the request itself stands in the way: no prompt, nothing reported. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

export interface Family {
  /** Null: not told to the server in this family. */
  readonly opened: (() => Promise<void>) | null;
  connected(account: string): Promise<void>;
  requested(step: Step, account: string): Promise<void>;
  submitted(step: Step, claim: Claim): Promise<void>;
  failed(step: Step, error: string): Promise<void>;
  declined(): Promise<void>;
  /** Whether an unsure claim came true. */
  happened?(claim: Claim): Promise<boolean>;
  prepare(step: Step, signer: Signer): Promise<Prepared>;
  /** When all steps are on their way: tells the server the result, where the family has one. */
  finish(): Promise<void>;
}

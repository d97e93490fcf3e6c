/** What differs between the three families: how steps are reported, and what one step asks of the wallet. */
import type { Step } from '../model/record.js';
import type { Provider } from '../wallet/provider.js';

export interface Claim {
  readonly txHash?: string;
  readonly sessionId?: string;
  readonly owner?: string;
  /** Signed and perhaps sent: it must be looked up before it is reported. */
  readonly unsure?: boolean;
}

export interface Signer {
  readonly provider: Provider;
  readonly account: string;
}

/** A step that is ready to be signed. The person has not been asked yet; `ask` opens the wallet. */
export interface Prepared {
  ask(tell: (phase: 'wallet' | 'sending') => void): Promise<Claim>;
}

/** A check before the prompt failed: the wallet is not asked. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

export interface Family {
  /** Null: this family does not report it. */
  readonly opened: (() => Promise<void>) | null;
  connected(account: string): Promise<void>;
  requested(step: Step, account: string): Promise<void>;
  submitted(step: Step, claim: Claim): Promise<void>;
  failed(step: Step, error: string): Promise<void>;
  declined(): Promise<void>;
  /** Whether what an unsure claim says has happened. */
  happened?(claim: Claim): Promise<boolean>;
  prepare(step: Step, signer: Signer): Promise<Prepared>;
  /** Called when all steps were sent: reports the result, if the family has one. */
  finish(): Promise<void>;
}

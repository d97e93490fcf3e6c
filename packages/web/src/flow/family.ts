/** What differs between the three families: how steps are reported, and what one step asks of the wallet. */
import type { HandoffRecord, Step } from '../model/record.js';
import type { WalletAnswer } from '../wallet/answer-of.js';
import type { Provider } from '../wallet/provider.js';
import { OwnError } from '../wallet/wallet-error.js';
import type { Report } from './outbox-store.js';

export interface Claim {
  readonly txHash?: string;
  readonly sessionId?: string;
  readonly owner?: string;
  /** Somebody entered it by hand. */
  readonly source?: 'holder';
}

export interface Signer {
  readonly provider: Provider;
  readonly account: string;
}

/** What the server gives for an ask: the token answers it, and nothing else. */
export interface AskGrant {
  readonly id: string;
  readonly token: string;
  readonly stepIds: readonly string[];
  /** The number that an earlier prompt would have had: with it, at most one of the two can be mined. */
  readonly nonce?: number;
}

/** How an ask ended without a claim. */
export interface AskEnd {
  readonly answer: WalletAnswer | 'said_not_signed';
  /** Which ask; absent: the newest. */
  readonly askId?: string;
  readonly walletCode?: number;
  readonly error?: string;
}

/** What is known of a session before it is signed: enough to look for it. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly owner: string;
  readonly permitExpiry: number;
}

/** A step that is ready to be signed. The person has not been asked yet; `ask` opens the wallet. */
export interface Prepared {
  readonly session?: SessionFacts;
  ask(grant: AskGrant, tell: (phase: 'wallet' | 'sending') => void): Promise<Claim>;
}

/** A check before the prompt failed: the wallet is not asked. */
export class Blocked extends OwnError {
  override readonly name = 'Blocked';
}

export interface Asked {
  readonly account: string;
  readonly clientAsk: string;
  readonly session?: SessionFacts;
}

/** The answer to a post that asked. */
export function grantIn(answer: unknown): AskGrant {
  const ask = answer !== null && typeof answer === 'object' && 'ask' in answer ? answer.ask : undefined;
  if (ask === null || typeof ask !== 'object' || !('id' in ask) || !('token' in ask))
    throw new OwnError('The server did not give leave to ask the wallet.');
  return ask as AskGrant;
}

export interface Family {
  /** Null: this family does not report it. */
  readonly opened: (() => Promise<void>) | null;
  connected(account: string): Promise<void>;
  /** That the wallet will be asked. Sent again with the same `clientAsk`, it is the same ask. */
  askReport(step: Step, asked: Asked): Report;
  claimReport(step: Step, claim: Claim): Report;
  endReport(step: Step, end: AskEnd): Report;
  declined(): Promise<void>;
  /** From this record alone: its digest is computed before the wallet gets what was made of it. */
  prepare(record: HandoffRecord, step: Step, signer: Signer): Promise<Prepared>;
  /** Called when all steps were sent: reports the result, if the family has one. */
  finish(): Promise<void>;
}

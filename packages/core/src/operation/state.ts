/**
 * The state of an operation of any family: transactions to sign, a bundle to deploy, sessions to start.
 *
 * What is recorded is in `OperationFacts`. Status, effect and the rest of what readers see follow from it alone
 * (settle.ts), so no order of events can leave the two at odds.
 */
import { FAMILIES } from './families/families.js';
import type { StepCall } from './step-call.js';
import type {
  AskAnswer,
  Basis,
  ClaimKind,
  ClaimSource,
  Effect,
  Family,
  OperationStatus,
  ReasonCode,
  StepStatus,
  Verification,
} from './words.js';

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

/** Where an ask stands: open and unclear wait for an answer, quiet for the chain; the others are over. */
export const AskStanding = {
  Open: 'open',
  Unclear: 'unclear',
  /** A claim answered it. */
  Claimed: 'claimed',
  Refused: 'refused',
  NotOpened: 'not_opened',
  /** Somebody said that nothing was signed, and the chain is watched for a while. */
  Quiet: 'quiet',
  /** The same, and the chain showed nothing. */
  NotSigned: 'not_signed',
  /** What was asked for can no longer be used, and was not. */
  Gone: 'gone',
  /** Nobody ever said. */
  Lapsed: 'lapsed',
} as const;
export type AskStanding = (typeof AskStanding)[keyof typeof AskStanding];

/** One time that a wallet was asked. */
export interface AskState {
  readonly id: string;
  /** The page's own id for it, by which a repeated post is known. */
  readonly clientAsk?: string;
  readonly steps: readonly string[];
  readonly at: number;
  readonly standing: AskStanding;
  readonly account?: string;
  /** The head of the chain, and the account's nonces, when it was made. */
  readonly head?: number;
  readonly nonce?: number;
  readonly pendingNonce?: number;
  /** Of a session: enough to look for it without being told. */
  readonly session?: SessionAsk;
  /** The number of the account's next session, as the node said when it was made. */
  readonly nextSession?: string;
  readonly walletCode?: number;
  /** What was answered, in order: whatever came after it, it was said. */
  readonly said?: readonly AskAnswer[];
  /** When the quiet time ends at the earliest. */
  readonly quietUntil?: number;
  /** Of one that came to nothing: the chain shows nothing of it up to this block. */
  readonly through?: number;
}

export interface ConnectedAccount {
  readonly account: string;
  /** The head of the chain at that time. */
  readonly head?: number;
}

export interface SessionAsk {
  readonly sessionId: string;
  readonly owner: string;
  /** Unix seconds. */
  readonly permitExpiry: number;
  /** The node knew no such session when the wallet was asked. */
  readonly fresh?: boolean;
}

/** Where a claim stands. All but `open` are final. */
export const ClaimStanding = {
  Open: 'open',
  /** Settled as asked. */
  Done: 'done',
  /** Settled, without effect: reverted, or its number was used by something else. */
  Nothing: 'nothing',
  /** Settled, succeeded, and not what was asked. */
  Different: 'different',
  /** It belongs to something else, so its ask waits again. */
  Aside: 'aside',
} as const;
export type ClaimStanding = (typeof ClaimStanding)[keyof typeof ClaimStanding];

/** A value said to be the result of an ask. Hex is lowercase. */
export interface ClaimState {
  readonly kind: ClaimKind;
  readonly value: string;
  readonly ask?: string;
  readonly source: ClaimSource;
  readonly at: number;
  readonly standing: ClaimStanding;
  readonly verification: Verification;
  readonly owner?: string;
  readonly contract?: string;
  readonly proof?: string;
  /** The mined transaction that holds the asked call. */
  readonly carrier?: string;
  /** Where the asked call stands inside the carrier, by name; more than one: it was made as often. */
  readonly frames?: readonly string[];
  /** How many owners have to sign, as the contract of the account says. */
  readonly owners?: number;
  /** What a transaction without effect has cost, in the smallest unit of the chain's coin. */
  readonly fee?: string;
  readonly block?: BlockRef;
  readonly boundBy?: BoundBy;
  /**
   * Who signed it, and its number among the transactions of that account. Without a sender it is the number among the
   * transactions of a Safe.
   */
  readonly sender?: string;
  readonly nonce?: number;
  readonly reason?: ReasonCode;
  readonly detail?: string;
  /** The hash that took the place of this one. */
  readonly by?: string;
  /** In what it was seen not to be as asked. A hash commits to everything, so this stays. */
  readonly differs?: string;
  /** Of a session: the node knew none after it was told, so its number was guessed, or the node was slow. */
  readonly early?: true;
  /** Values that this one replaced. */
  readonly was?: readonly string[];
}

/** Why the sender of a carrier counts. */
export type BoundBy = 'from' | 'expected_signer' | 'ask';

export interface StepFacts {
  readonly id: string;
  /** The only account that may sign it; absent: the step names none. */
  readonly from?: string;
  /** Nothing to sign here: what the step would create already exists. */
  readonly skipped?: boolean;
  /** Names what it asks of the chain. */
  readonly like?: string;
  /** What it asks of the chain, for whoever reads a receipt. */
  readonly call?: StepCall;
  readonly claims: readonly ClaimState[];
  /** A verified result shows what the step was for. */
  readonly shown?: boolean;
}

export interface ResultState {
  /** Identifies the result. */
  readonly digest: string;
  /** The status that follows when the chain agrees. */
  readonly outcome: OperationStatus;
  readonly seq: number;
  readonly at: number;
  readonly verification: Verification;
  readonly reason?: string;
}

/** Who wants it ended. `holder`: whoever held the link. */
export type ClosedBy = 'creator' | 'admin' | 'secret' | 'holder';

export interface Closing {
  readonly by: ClosedBy;
  readonly at: number;
  /** The request that was made in its place. */
  readonly replacedBy?: string;
}

/** A request that was made before, and when. */
export interface EarlierRecord {
  readonly id: string;
  readonly at: number;
}

/** One that asked for the same, and what was known of it when it was asked for again. */
export interface RepeatedRecord extends EarlierRecord {
  readonly effect: Effect;
  /** The steps of the new request that were asked for before; absent: all of it. */
  readonly steps?: readonly string[];
}

export interface OperationFacts {
  readonly rev: 2;
  readonly id: string;
  readonly family: Family;
  readonly creator: string;
  readonly chainId: number;
  readonly digest: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  /** How long the server looks by itself after the last ask or claim. */
  readonly lateMs: number;
  /** The server reads this chain. If so, a receipt opens the next step, not a claim. */
  readonly watched: boolean;
  /** The head of the chain when it was created. */
  readonly head?: number;
  /** The number of the signer's next session at that time, as the node said. */
  readonly nextSession?: string;
  /** The only account that may sign; absent: the first one that asks. */
  readonly signer?: string;
  /** Names the caller's whole request; absent: it was made without a key of the caller's own. */
  readonly request?: string;
  /** Names what is asked as a whole, where steps do not count for themselves. */
  readonly likeness?: string;
  /** Nothing was sent of that one, and it was withdrawn when this one was made. */
  readonly replaces?: EarlierRecord;
  /** That one was or may have been paid. */
  readonly repeats?: RepeatedRecord;
  /** How far a page has come before it asked a wallet. */
  readonly beginning: OperationStatus;
  /** Accounts that a page connected, for pages which make no asks. */
  readonly connected: readonly ConnectedAccount[];
  readonly steps: readonly StepFacts[];
  readonly asks: readonly AskState[];
  /** Claims that name no step. */
  readonly loose: readonly ClaimState[];
  readonly result?: ResultState;
  readonly closing?: Closing;
  /** Its TTL has passed. */
  readonly late: boolean;
  /** The watch window has ended, and no claim has come since. */
  readonly windowOver: boolean;
  /** How it ended under the rules of 0.1.0; a claim that comes later takes it back. */
  readonly ended?: OperationStatus;
  /** How often a claim came after it was over. */
  readonly reopened: number;
  /** The entries after which a receipt was issued. */
  readonly issued: readonly number[];
  readonly seq: number;
}

export interface StepState extends StepFacts {
  readonly status: StepStatus;
  readonly effect: Effect;
}

export interface OperationState extends OperationFacts {
  readonly steps: readonly StepState[];
  readonly status: OperationStatus;
  readonly effect: Effect;
  readonly basis: readonly Basis[];
  /** It changes no more by itself, and what happened is not known or not what was asked. */
  readonly closed: boolean;
}

/** Whether nothing more can be done. The family defines which statuses end it. */
export function isOver({ status, family, closed }: Progress): boolean {
  return closed === true || FAMILIES[family].ends.has(status);
}

/** What `isOver` needs to know; states and views both have it. */
export interface Progress {
  readonly family: Family;
  readonly status: OperationStatus;
  readonly closed?: boolean;
}

/** Until when answers and claims are taken. */
export const REPORT_MS = 30 * 24 * 60 * 60 * 1000;
export const reportUntil = ({ expiresAt }: Pick<OperationFacts, 'expiresAt'>): number =>
  expiresAt + REPORT_MS;

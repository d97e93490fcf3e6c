/**
 * What differs between the families on the server: what its pages may post, how the chain proves what they claim, what
 * its tools answer; how a record is shown is in family-documents.ts. Everything else about operations is the same for
 * all families and calls these methods.
 *
 * Each family is a folder with the same file names: create (its tool) and created (the answer), documents (views and
 * what else follows from its documents), post and result (what its pages post), events, proofs. A new family is a
 * folder, a line each in families.ts and document-table.ts, and its rules in core.
 */
import type {
  ClaimKind,
  ClaimState,
  JsonObject,
  NewAsk,
  NewClaim,
  OperationFamily,
  OperationState,
  Rejection,
  SessionAsk,
  StepState,
  Verification,
} from '@handover/core';
import type { AskedCall } from '@handover/evm';
import type { TransactionCheck } from '../../../chain/check-transaction.js';
import type { ChainClient } from '../../../chain/port.js';
import type { Outcome } from '../../outcome.js';
import type { OperationDependencies, OperationSettings } from '../dependencies.js';
import type { PostBody } from '../post-body.js';
import type { OperationRecord } from '../record.js';
import type { PageWish } from './page-wish.js';

/**
 * metadata: enough to follow a record. full: everything, for whoever proved the secret, and for the creator where
 * `creatorSees` says so. An expired record shows only metadata.
 */
export type Detail = 'metadata' | 'full';

/** The last segment of the path of a post. */
export const POST_NAMES = ['status', 'progress', 'result'] as const;
export type PostName = (typeof POST_NAMES)[number];

/** Turns what a page posts into what it wants, or says what is wrong with it. */
export type ReadPost = (
  deps: OperationDependencies,
  record: OperationRecord,
  body: PostBody,
) => Outcome<PageWish> | Promise<Outcome<PageWish>>;

/** What the chain shows of one claim, before it is known whether it may count for this step. */
export interface Proof extends Omit<TransactionCheck, 'verdict'> {
  /** `replaced`: it will never happen, since something else has taken its place. */
  readonly verdict: TransactionCheck['verdict'] | 'replaced';
  /** What has taken its place, where that is known. */
  readonly by?: string;
  /** What holds the asked call; absent: nothing does yet. */
  readonly carrier?: string;
  /** Which calls inside the carrier; absent: the carrier itself is the asked one. */
  readonly frames?: readonly string[];
  /** The lines of its log that these calls have written, in the same order, as far as they are known. */
  readonly lines?: readonly string[];
  readonly proof?: string;
  /** What the value turned out to be. */
  readonly kind?: ClaimKind;
  /** What the owners of the account signed that the carrier has carried out: wallets give these as well. */
  readonly signed?: readonly { readonly kind: ClaimKind; readonly value: string }[];
  /** Of a Safe: how many owners have to sign, and the number of the transaction among its own. */
  readonly owners?: number;
  readonly safeNonce?: number;
}

/** What the chain shows of a result. */
export interface ResultProof {
  readonly verdict: Exclude<Verification, 'unverified'>;
  readonly reason?: string;
  /** The steps that it shows to be done. */
  readonly shown: readonly string[];
  /** What it says was done, as far as nobody has told it of the steps: it is judged like everything else that is told. */
  readonly claims?: readonly NewClaim[];
  /** What shows these steps; it serves no other step of the whole server. */
  readonly takes?: readonly TakenContract[];
}

/** A contract of which a result alone tells. */
export interface TakenContract {
  readonly step: string;
  readonly carrier: string;
  readonly contract: string;
  readonly owner: string;
}

/** What the chain says of an account before it can have signed. */
export interface AccountSight extends Pick<NewAsk, 'session' | 'nextSession'> {
  /** Why a wallet cannot be asked for this. */
  readonly flaw?: string;
}

/** A value that is said to be the result of a step. */
export interface LookedAt {
  readonly step: StepState;
  readonly claim: Pick<ClaimState, 'kind' | 'value' | 'owner' | 'contract' | 'block' | 'carrier' | 'nonce'>;
}

export interface FamilyService {
  readonly rules: OperationFamily;
  readonly notFound: Rejection;
  /** What its creator sees without the secret. */
  readonly creatorSees: Detail;
  /** What a page is told after a post: the whole record, or the progress of its steps. */
  readonly answersPosts: 'record' | 'progress';
  /** Making one reads the chain, where there is an RPC for it. */
  readonly readsChain?: boolean;
  /** Its pages call the public nodes of chains themselves. */
  readonly pageCallsNodes: boolean;
  readonly posts: Readonly<Partial<Record<PostName, ReadPost>>>;
  /** The base URL of its pages when they are not this server's. */
  externalPages(settings: OperationSettings): string | undefined;
  /** The largest result that its pages may post; absent: this family has no results. */
  readonly resultBytes?: number;
  /** Whether the metadata of a record show something that only its events say. */
  metadataNeedsEvents(state: OperationState): boolean;
  /**
   * What the create tool answers. Only this answer holds the URL, unless it was shown before or nothing is left to
   * open.
   */
  createdAnswer(
    deps: OperationDependencies,
    record: OperationRecord,
    url?: string,
  ): Promise<Outcome<JsonObject>>;
  /** The event for a posted result; absent: this family has no results. */
  resultEvent?(document: JsonObject): JsonObject;
  /** What is read of an account, beside its numbers, before its wallet is asked; absent: nothing. */
  sightOf?(client: ChainClient, account: string, session?: SessionAsk): Promise<AccountSight>;
  /** Whether a value is what a step asked for, whoever sent it. */
  proveClaim(
    deps: OperationDependencies,
    client: ChainClient,
    record: OperationRecord,
    looked: LookedAt,
  ): Promise<Proof>;
  /** The one call that a step asks for. Absent: there is no such call, or its data is not fixed before it is signed. */
  askedCall?(deps: OperationDependencies, record: OperationRecord, step: StepState): Promise<AskedCall>;
  /** Absent: this family has no results. */
  proveResult?(
    deps: OperationDependencies,
    client: ChainClient,
    record: OperationRecord,
  ): Promise<ResultProof>;
}

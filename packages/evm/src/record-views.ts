/**
 * What the API answers about a record (docs/reference/operations-api.md): the server's views are made to these types, and
 * the pages read them. Metadata is what is left of an expired record; the rest is for whoever proved the secret.
 */
import type {
  AskStanding,
  Basis,
  BoundBy,
  ClaimKind,
  ClaimSource,
  ClosedBy,
  Effect,
  Family,
  Fields,
  Issue,
  Json,
  JsonObject,
  OperationReceipt,
  OperationStatus,
  ReasonCode,
  StepStatus,
  Verification,
} from '@handover/core';
import type { DeploymentStep } from './xdala/deployment-texts.js';
import type { ProcessGraph } from './xdala/diagram/graph.js';

/** One value said to be the result of an ask. */
export interface ClaimView {
  readonly kind: ClaimKind;
  readonly value: string;
  readonly source: ClaimSource;
  readonly verification: Verification;
  readonly askId?: string;
  readonly carrier?: string;
  /** Whose account did it, where the chain has shown it. */
  readonly account?: string;
  /** The asked call inside the carrier, by name; more than one: it was made as often. */
  readonly frames?: readonly string[];
  readonly proof?: string;
  /** Of a Safe that waits: how many owners have to sign, as its contract says. */
  readonly owners?: number;
  /** Of one without effect: what it has cost, in the smallest unit of the chain's coin. */
  readonly fee?: string;
  readonly blockNumber?: number;
  readonly boundBy?: BoundBy;
  readonly reasonCode?: ReasonCode;
  readonly reasonDetail?: string;
  /** What has taken its place. */
  readonly by?: string;
  readonly was?: readonly string[];
}

/** Why something stands where it stands. */
export interface ReasonView {
  readonly reasonCode?: ReasonCode;
  /** The word behind the code, such as `to_differs`. */
  readonly reasonDetail?: string;
  readonly walletCode?: number;
  /** Of NOT_SIGNED: the chain shows nothing of it up to this block. */
  readonly reasonBlock?: number;
}

/** Where a step stands. */
export interface StepProgress extends ReasonView {
  readonly id: string;
  readonly status: StepStatus;
  readonly verification: Verification;
  readonly effect: Effect;
  readonly txHash?: string;
  readonly contract?: string;
  readonly sessionId?: string;
  readonly owner?: string;
  readonly claims?: readonly ClaimView[];
  readonly blockNumber?: number;
  readonly error?: string;
}

/** An ask whose prompt may still be open: nobody has said how it ended, or only that it was not signed. */
export interface AskView {
  readonly id: string;
  readonly stepIds: readonly string[];
  readonly at: string;
  readonly standing: AskStanding;
  readonly account?: string;
  readonly nonce?: number;
  readonly quietUntil?: string;
}

export interface ReceiptEntry {
  readonly no: number;
  readonly issued_at: number;
  readonly outcome: string;
  readonly effect: string;
  readonly digest: string;
}

/** What a step asks for, in short. */
export interface CallView {
  readonly kind: 'transfer' | 'call' | 'creation';
  /** Null: contract creation. */
  readonly to: string | null;
  /** In the smallest unit of the coin. */
  readonly value: string;
  readonly chainId: number;
  /** Who signs it, where that is known. */
  readonly account?: string;
}

/** And what it is about. */
export interface StepView extends StepProgress {
  readonly kind: string;
  readonly label: string;
  readonly txRequest?: JsonObject;
  /** Of metadata, in place of `txRequest`. */
  readonly call?: CallView;
  readonly deployment?: DeploymentStep;
}

/** `silent`: the RPC does not answer. `another_chain`: it serves another one. `none`: there is no RPC. */
export type ChainSight = 'watched' | 'silent' | 'another_chain' | 'none';

export interface CommonView extends ReasonView {
  readonly network: string;
  readonly chainId: number;
  readonly status: OperationStatus;
  readonly verification: Verification;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  readonly digest: string;
  /** The server reads this chain: claims will be looked up. For agents: and its RPC answers now. */
  readonly watched: boolean;
  /** Whether this server can see the chain now. */
  readonly chainSight?: ChainSight;
  readonly account?: string;
  readonly expectedSigner?: string;
  readonly closed?: boolean;
  /** What moved. Only `none` means that nothing was paid. */
  readonly effect: Effect;
  /** On whose word. */
  readonly basis: readonly Basis[];
  readonly createdBy: string;
  /** It was withdrawn while something was under way. */
  readonly closing?: {
    readonly by: ClosedBy;
    readonly at: string;
    /** The request that was made in its place. */
    readonly replacedBy?: string;
  };
  /** Its time has passed, and something is still under way. */
  readonly late?: boolean;
  /** An earlier request, of which nothing was sent, and which was withdrawn for this one. */
  readonly replaces?: {
    readonly id: string;
    readonly createdAt: string;
    /** For pages: a prompt of it may still be open in a wallet. */
    readonly openPrompt?: true;
    /** Whose wallet that was, and the number that what it signs would have. */
    readonly account?: string;
    readonly nonce?: number;
  };
  /** An earlier request for the same, which was or may have been paid when this one was made. */
  readonly repeats?: {
    readonly id: string;
    readonly createdAt: string;
    readonly effect: Effect;
    /** The steps of this one that were asked for before; absent: all. */
    readonly stepIds?: readonly string[];
  };
  /** For pages: another request of the same agent for the same, whichever was made first, as it stands now. */
  readonly twin?: {
    readonly id: string;
    readonly createdAt: string;
    /** Of what both ask for. `none`: it can still be signed. */
    readonly effect: Effect;
    /** When what was done was told. */
    readonly doneAt?: string;
    /** The steps of this one that the other one asks for, too; absent: all that is left of it. */
    readonly stepIds?: readonly string[];
  };
  /** Until when answers and claims are taken. */
  readonly reportUntil: string;
  /** Nothing more can be asked or signed on the page. */
  readonly over?: boolean;
  /** How many wallet prompts may still be open, also for steps that are done: what is signed late is recorded. */
  readonly openAsks?: number;
  readonly asks?: readonly AskView[];
  /** A transaction was mined without effect. */
  readonly feeSpent?: boolean;
  readonly receipt?: OperationReceipt;
  readonly receipts?: readonly ReceiptEntry[];
}

/** As it was validated when it was made. */
export interface ValidationView {
  readonly warnings?: readonly Issue[];
}

export interface GraphView extends Pick<ProcessGraph, 'nodes' | 'joins' | 'edges'> {
  readonly mermaid?: string;
}

export interface TransactionView extends CommonView {
  readonly family: typeof Family.Operation;
  readonly id: string;
  readonly type: string;
  readonly summary: JsonObject;
  readonly policy?: JsonObject;
  readonly steps: readonly StepView[];
  readonly payload?: Json;
  readonly validation?: Json;
  readonly events?: readonly JsonObject[];
}

export interface BundleDeployMetadata extends CommonView {
  readonly family: typeof Family.BundleDeploy;
  readonly handle: string;
  readonly type?: string;
  readonly summary: JsonObject;
  readonly validation?: ValidationView;
  readonly events?: readonly JsonObject[];
  readonly steps: readonly StepProgress[];
}

export interface BundleDeployView extends BundleDeployMetadata {
  readonly bundle: JsonObject;
  readonly graph?: GraphView;
  readonly steps: readonly StepView[];
  readonly result?: Json;
  readonly deployedArtifact?: Json;
}

export interface SessionView {
  readonly orchestration: string;
  readonly ostcId: string;
  readonly stepId: string;
  readonly payload: JsonObject;
  readonly maxTotalGas: number;
  readonly ostcHash?: string;
  readonly expiry?: number;
  readonly starterAddress?: string;
}

export interface SessionStartMetadata extends CommonView {
  readonly family: typeof Family.SessionStart;
  readonly handle: string;
  readonly type?: string;
  readonly version?: string;
  readonly source?: JsonObject;
  readonly events?: readonly JsonObject[];
  readonly sessionOwnership?: JsonObject;
  readonly resultSummary?: JsonObject;
  readonly steps: readonly StepView[];
}

export interface SessionStartView extends SessionStartMetadata {
  readonly request: Fields & { readonly sessions: readonly SessionView[] };
  readonly authority?: JsonObject;
  readonly validation?: ValidationView;
  readonly graph?: GraphView;
  readonly result?: Json;
}

/** What a page is given. */
export type RecordView = TransactionView | BundleDeployView | SessionStartView;
/** What any reader is given. */
export type AnyView = RecordView | BundleDeployMetadata | SessionStartMetadata;

/** What the HTTP API answers, as far as the pages use it: docs/reference/operations-api.md. */
import type { ProcessGraph } from '@handover/evm';

export type StepStatus = 'pending' | 'requested' | 'submitted' | 'confirmed' | 'failed' | 'skipped';
export type Verification = 'unverified' | 'pending' | 'matched' | 'mismatched' | 'reorged';
export type JsonRecord = Readonly<Record<string, unknown>>;

export interface Deployment {
  readonly kind: 'xrc137' | 'xrc729';
  readonly bundleId: string;
  readonly itemId: string;
  readonly alias: string;
  readonly ostcId?: string;
  /** Exactly what goes on chain, but for the addresses of rules that are still to be deployed. */
  readonly text: string;
  readonly reuse?: string;
}

export interface Step {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly status: StepStatus;
  readonly verification: Verification;
  readonly txHash?: string;
  readonly contract?: string;
  readonly sessionId?: string;
  readonly owner?: string;
  readonly error?: string;
  readonly confirmations?: number;
  readonly blockNumber?: number;
  readonly txRequest?: JsonRecord;
  readonly deployment?: Deployment;
}

interface Common {
  readonly network: string;
  readonly chainId: number;
  readonly status: string;
  readonly verification: Verification;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  readonly digest: string;
  /** The server reads this chain: claims will be looked up. */
  readonly watched?: boolean;
  readonly account?: string;
  readonly expectedSigner?: string;
  readonly receipt?: unknown;
  readonly steps: readonly Step[];
  readonly closed?: boolean;
}

export interface OperationRecord extends Common {
  readonly family: 'operation';
  readonly id: string;
  readonly type: string;
  readonly summary: JsonRecord;
  readonly payload?: unknown;
}

export type Graph = Pick<ProcessGraph, 'nodes' | 'joins' | 'edges'>;

export interface Issue {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

export interface BundleRecord extends Common {
  readonly family: 'bundle_deploy';
  readonly handle: string;
  readonly summary: JsonRecord;
  readonly validation?: { readonly warnings?: readonly Issue[] };
  readonly bundle: JsonRecord;
  readonly graph?: Graph;
  readonly result?: unknown;
}

export interface SessionRequest {
  readonly orchestration: string;
  readonly ostcId: string;
  readonly stepId: string;
  readonly payload: JsonRecord;
  readonly maxTotalGas: number;
  readonly ostcHash?: string;
  readonly expiry?: number;
  readonly starterAddress?: string;
}

export interface SessionRecord extends Common {
  readonly family: 'session_start';
  readonly handle: string;
  readonly request: JsonRecord & { readonly sessions: readonly SessionRequest[] };
  readonly authority?: JsonRecord;
  readonly validation?: { readonly warnings?: readonly Issue[] };
  readonly graph?: Graph;
  readonly result?: unknown;
}

export type HandoffRecord = OperationRecord | BundleRecord | SessionRecord;

export const idOf = (record: HandoffRecord): string =>
  record.family === 'operation' ? record.id : record.handle;

/** What operations need beyond what all services need. */
import type { Store } from '@handover/engine';
import type { ChainReader } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { SmartAccounts } from '../../config/read-chains.js';
import type { OperationSettings } from '../../config/read-operations.js';
import type { Log } from '../../observe/log.js';
import type { ServiceDependencies } from '../dependencies.js';
import type { OpenAsks } from './asks.js';
import type { RecordDocuments } from './documents.js';
import type { RecordReceipts } from './receipts.js';

export type { OperationSettings };

export const MIN_TTL_MS = fixedLimits.operationShortestTtlMs.value;

export interface OperationDependencies extends ServiceDependencies {
  readonly store: Pick<Store, 'due' | 'credentials'>;
  readonly documents: RecordDocuments;
  readonly receipts: RecordReceipts;
  readonly openAsks: OpenAsks;
  readonly chains: ChainReader;
  readonly confirmations: number;
  /** Contracts that the operator adds to those which are known. */
  readonly smartAccounts: SmartAccounts;
  readonly pepper: Uint8Array;
  readonly settings: OperationSettings;
  /** The base URL at which people reach this server. */
  readonly publicBase: () => string;
  readonly log: Log;
}

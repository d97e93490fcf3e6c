/** What operations need beyond the runtime. */
import type { ReceiptSigner } from '@handover/core';
import type { Store } from '@handover/engine';
import type { ChainReader } from '../../chain/port.js';
import type { OperationSettings } from '../../config/read-operations.js';
import type { Log } from '../../observe/log.js';
import type { ServiceDependencies } from '../dependencies.js';
import type { RecordDocuments } from './documents.js';

export type { OperationSettings };

export const MIN_TTL_MS = 60_000;
/** Of what an operation's create and result entries carry. */
export const MAX_RECORD_BYTES = 10 * 1024 * 1024;

export interface OperationDependencies extends ServiceDependencies {
  readonly store: Pick<Store, 'due' | 'credentials'>;
  readonly documents: RecordDocuments;
  readonly signer: ReceiptSigner;
  readonly chains: ChainReader;
  readonly confirmations: number;
  readonly pepper: Uint8Array;
  readonly settings: OperationSettings;
  /** Where people reach this server. */
  readonly publicBase: () => string;
  readonly log: Log;
}

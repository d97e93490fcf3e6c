/** What operations need beyond the runtime. */
import type { ReceiptSigner } from '@handover/core';
import type { Store } from '@handover/engine';
import type { Log } from '../../ops/log.js';
import type { RuntimeParts } from '../runtime.js';
import type { ChainReader } from './chain-port.js';

export interface Ttl {
  readonly defaultMs: number;
  readonly maxMs: number;
}

export interface OperationSettings {
  readonly ttl: { readonly operation: Ttl; readonly bundle_deploy: Ttl; readonly session_start: Ttl };
  /** External pages; absent: our own. */
  readonly bundleBaseUrl?: string;
  readonly sessionBaseUrl?: string;
  /** `?k=` and `secret` in a body are accepted, too. */
  readonly querySecrets: boolean;
  /** On external pages only: the handle alone may post claims. */
  readonly handleOnly: boolean;
  readonly perHandlePerMinute: number;
  readonly perAddressPerMinute: number;
}

export const MIN_TTL_MS = 60_000;
/** Of what an operation's create and result entries carry. */
export const MAX_RECORD_BYTES = 10 * 1024 * 1024;

export interface OperationParts extends RuntimeParts {
  readonly store: Pick<Store, 'read' | 'due' | 'credentials'>;
  readonly signer: ReceiptSigner;
  readonly chains: ChainReader;
  readonly confirmations: number;
  readonly pepper: Uint8Array;
  readonly settings: OperationSettings;
  /** Where people reach this server. */
  readonly publicBase: () => string;
  readonly log: Log;
}

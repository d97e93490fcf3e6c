import type { ReceiptSigner } from '@handover/core';
import type { Store } from '@handover/engine';
import type { ServiceDependencies } from '../dependencies.js';
import type { OpenSessionQuota } from '../macp/open-session-quota.js';

/** What this service needs beyond what all services need. */
export interface HandoffDependencies extends ServiceDependencies {
  /** For contents: states come from the engine, payloads only from the log. */
  readonly store: Pick<Store, 'load' | 'read'>;
  /** The same one that guards the MACP doors. */
  readonly quota: OpenSessionQuota;
  /** Signs receipts. */
  readonly signer: ReceiptSigner;
}

import type { ReceiptSigner } from '@handover/core';
import type { Store } from '@handover/engine';
import type { OpenSessionQuota } from '../open-session-quota.js';
import type { RuntimeParts } from '../runtime.js';

/** What the desk needs beyond the runtime. */
export interface DeskParts extends RuntimeParts {
  /** For contents: states come from the engine, payloads only from the log. */
  readonly store: Pick<Store, 'load' | 'read'>;
  /** The same one that guards the MACP doors. */
  readonly quota: OpenSessionQuota;
  /** Signs receipts. */
  readonly signer: ReceiptSigner;
}

import type { ReceiptSigner } from '@handover/core';
import type { Store } from '@handover/engine';
import type { TakingSettings } from '../../config/read-taking.js';
import type { ServiceDependencies } from '../dependencies.js';
import type { OpenSessionQuota } from '../macp/open-session-quota.js';

/** What this service needs beyond what all services need. */
export interface HandoffDependencies extends ServiceDependencies {
  /** For payloads, which only the log holds, and for signs of agents beside the log. States come from the engine. */
  readonly store: Pick<Store, 'load' | 'read' | 'heads' | 'agents'>;
  readonly taking: TakingSettings;
  /** The same quota as at the MACP doors. */
  readonly quota: OpenSessionQuota;
  /** Signs receipts. */
  readonly signer: ReceiptSigner;
}

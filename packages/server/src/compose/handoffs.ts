/** The desk of handoffs on this server: receipts are signed with the folder's key, where the folder is its own. */
import type { Store } from '@handover/engine';
import type { Configuration } from '../config/configuration.js';
import { memoryKeyring, openKeyring } from '../keys/keyring.js';
import { receiptSigner } from '../proof/receipt-keys.js';
import type { RuntimeParts } from '../services/dependencies.js';
import { createHandoffDesk } from '../services/handoffs/create-handoff-service.js';
import type { HandoffDesk } from '../services/handoffs/types.js';
import type { OpenSessionQuota } from '../services/macp/open-session-quota.js';

export interface OpenHandoffDeskOptions {
  readonly settings: Configuration;
  readonly runtime: RuntimeParts;
  readonly store: Store;
  /** The data folder is this server's to write to. */
  readonly ownsFolder: boolean;
  readonly quota: OpenSessionQuota;
}

export function openHandoffDesk(options: OpenHandoffDeskOptions): HandoffDesk {
  const { settings, runtime, store, ownsFolder, quota } = options;
  const keyring =
    ownsFolder && settings.store.kind === 'sqlite' ? openKeyring(settings.store.folder) : memoryKeyring();
  return createHandoffDesk({ ...runtime, store, quota, signer: receiptSigner(keyring) });
}

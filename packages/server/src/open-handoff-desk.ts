/** The desk of handoffs on this server: receipts are signed with the folder's key, where the folder is its own. */
import type { Store } from '@handover/engine';
import { receiptSigner } from './audit/receipt-keys.js';
import type { Configuration } from './ops/configuration.js';
import { memoryKeyring, openKeyring } from './ops/keyring.js';
import { createHandoffDesk } from './pipeline/handoffs/create-handoff-desk.js';
import type { HandoffDesk } from './pipeline/handoffs/types.js';
import type { OpenSessionQuota } from './pipeline/open-session-quota.js';
import type { RuntimeParts } from './pipeline/runtime.js';

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

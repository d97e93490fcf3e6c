/** The keys of receipts on this server: those of the data folder, where the folder is its own, and what the settings name. */
import type { Configuration } from '../config/configuration.js';
import { memoryKeyring, openKeyring } from '../keys/keyring.js';
import { type ReceiptKeys, receiptKeysOf } from '../keys/receipt-keys.js';

export function openReceiptKeys({ store, receipts }: Configuration, ownsFolder: boolean): ReceiptKeys {
  const keyring = ownsFolder && store.kind === 'sqlite' ? openKeyring(store.folder) : memoryKeyring();
  return receiptKeysOf(keyring, receipts);
}

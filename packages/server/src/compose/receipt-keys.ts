/** The keys of receipts on this server: those of the data folder, where the folder is its own, and what the settings name. */
import type { Configuration } from '../config/configuration.js';
import { folderOf } from '../config/read-store.js';
import { memoryKeyring, openKeyring } from '../keys/keyring.js';
import { type ReceiptKeys, receiptKeysOf } from '../keys/receipt-keys.js';

export function openReceiptKeys({ store, receipts }: Configuration, ownsFolder: boolean): ReceiptKeys {
  const folder = ownsFolder ? folderOf(store) : undefined;
  const keyring = folder === undefined ? memoryKeyring() : openKeyring(folder);
  return receiptKeysOf(keyring, receipts);
}

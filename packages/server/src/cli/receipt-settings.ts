import { readReceipts } from '../config/read-receipts.js';
import { SettingReader } from '../config/setting-reader.js';
import type { ReceiptSettings } from '../keys/receipt-keys.js';
import { wrongUsage } from './conventions/failure.js';

/** What the environment says of the keys of receipts: commands sign and trust as a server started here would. */
export function receiptSettings(): ReceiptSettings {
  const reader = new SettingReader(process.env);
  const settings = readReceipts(reader);
  const [problem] = reader.problems;
  if (problem) throw wrongUsage(`${problem.name} ${problem.text}`);
  return settings;
}

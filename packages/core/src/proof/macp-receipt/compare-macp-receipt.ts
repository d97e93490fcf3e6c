import type { JsonObject } from '../../log/json.js';
import { firstDifference, shown } from '../difference.js';
import type { Flaw } from '../flaw.js';
import type { MacpReceiptResult } from './make-macp-receipt.js';
import type { MacpReceipt } from './receipt.js';

/** How a receipt differs from what the session's own log gives. Who issued it and when is not in the log. */
export function compareMacpReceipt(receipt: MacpReceipt, fromLog: MacpReceiptResult): Flaw | undefined {
  if ('none' in fromLog) return { path: 'session_id', what: `the log has no such receipt: ${fromLog.none}` };
  const { issuer: _issuer, issued_at: _at, ...expected } = fromLog.body;
  const { issuer: _of, issued_at: _when, attestations: _attestations, ...said } = receipt;
  const difference = firstDifference(expected as unknown as JsonObject, said as unknown as JsonObject);
  if (!difference) return undefined;
  const { path, expected: should, found } = difference;
  return { path, what: `is ${shown(found)}; the log says ${shown(should)}` };
}

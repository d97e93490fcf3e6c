/** The only account that may sign a step; undefined while any may. */

import { isAddress } from '@handover/evm';
import type { HandoffRecord, Step } from '../model/record.js';

export function expectedAccount(record: HandoffRecord, step: Step | undefined): string | undefined {
  const from = step?.txRequest?.from;
  if (isAddress(from)) return from.toLowerCase();
  const signer = record.expectedSigner;
  if (isAddress(signer)) return signer.toLowerCase();
  return record.account?.toLowerCase();
}

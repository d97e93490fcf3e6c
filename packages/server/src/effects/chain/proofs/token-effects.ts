/** The called token itself says that exactly this has moved (review:2.3 `effects`). Only where its line says everything. */
import { countEffects } from '@handover/evm';
import { type Inner, ProofName, type Shown } from './shown.js';

export function showByEffects({ account, asked, receipt }: Inner): Shown | undefined {
  const times = countEffects(account, asked, receipt.logs);
  // Twice could be two calls, or one that writes two lines.
  return times === 1 ? { kind: 'done', proof: ProofName.Effects, times } : undefined;
}

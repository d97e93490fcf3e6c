/**
 * Whether what an account has sent belongs to another request already: it has served one, or another page told that its
 * wallet gave it. What the server finds by itself is then not taken for an ask that heard nothing.
 */
import { carrierRef } from '@handover/core';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { readRecord } from '../../../services/operations/record.js';
import { isTold } from '../asks-and-claims.js';
import type { JudgeParts } from '../judge-parts.js';
import type { AskedAccount } from './asked-account.js';

export async function isAnothers(
  { deps, client, asks }: JudgeParts,
  { record, account }: AskedAccount,
  hash: string,
  carrier = hash,
): Promise<boolean> {
  if (await deps.engine.query(carrierRef(client.chainId, carrier))) return true;
  for (const { ref } of asks.byAccount(client.chainId, account).slice(0, fixedLimits.comparedAsks.value)) {
    if (ref.id === record.ref.id) continue;
    const other = await readRecord(deps, ref);
    const claims = other?.state.steps.flatMap((step) => step.claims) ?? [];
    if (claims.some((claim) => isTold(claim, hash))) return true;
  }
  return false;
}

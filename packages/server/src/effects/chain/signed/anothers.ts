/**
 * Whether what an account has sent belongs to another request already: it has served one, or another page told that its
 * wallet gave it. What the server finds by itself is then not taken for an ask that heard nothing.
 */
import { carrierRef } from '@handover/core';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { readRecord } from '../../../services/operations/record.js';
import { isAwaiting, isTold } from '../asks-and-claims.js';
import type { JudgeParts } from '../judge-parts.js';
import { fitFor } from '../other-fits.js';
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

/**
 * An ask of which nobody waits for anything more leaves it to one that does: for the same step, or of another request for
 * the same call.
 */
export async function isAwaited(
  parts: JudgeParts,
  { record, ask, step, account }: AskedAccount,
  carrier: string,
): Promise<boolean> {
  if (isAwaiting(ask)) return false;
  const { deps, client, asks } = parts;
  if (record.state.asks.some((one) => isAwaiting(one) && one.steps.includes(step.id))) return true;
  const isFit = await fitFor(parts, record, step, { from: account, carrier });
  for (const one of asks.byAccount(client.chainId, account).slice(0, fixedLimits.comparedAsks.value)) {
    const other = one.ref.id === record.ref.id ? undefined : await readRecord(deps, one.ref);
    const made = other?.state.asks.find(({ id }) => id === one.ask);
    if (!other || !made || !isAwaiting(made)) continue;
    const steps = other.state.steps.filter(
      ({ id, status }) => made.steps.includes(id) && status !== 'confirmed',
    );
    for (const candidate of steps) if (await isFit(other, candidate)) return true;
  }
  return false;
}

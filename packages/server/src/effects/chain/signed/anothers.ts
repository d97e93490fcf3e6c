/**
 * Whose is what an account has sent: it has served a request already, or the page of another one told that its wallet gave
 * it. What the server finds by itself is then not taken for an ask that heard nothing.
 *
 * W1. Only a page whose request asks for this very call, of this account, before its block, can have it. Else anybody who
 *     sees a payment could hide it by telling of it.
 * W2. What serves a request of the same creator is something else than what is looked for. What serves or may serve
 *     somebody else's may have been meant for this one: nobody can say, so the search does not end as nothing.
 */
import { asksOfOthers } from '../account-asks.js';
import { isAwaiting, isTold } from '../asks-and-claims.js';
import { servedWhom } from '../carriers.js';
import type { JudgeParts } from '../judge-parts.js';
import { fitFor, type Sighted } from '../other-fits.js';
import type { AskedAccount } from './asked-account.js';

export async function whoseIs(
  parts: JudgeParts,
  { record, step, account }: AskedAccount,
  hash: string,
  seen: Sighted,
): Promise<'nobody' | 'creator' | 'others' | 'told'> {
  const served = await servedWhom(parts, record, hash);
  if (served !== 'nobody') return served;
  const isFit = await fitFor(parts, record, step, { ...seen, from: account, carrier: hash });
  // Absent while it is not mined.
  const block = seen.block?.number;
  for await (const { other, made } of asksOfOthers(parts, record, account, [hash])) {
    if (block !== undefined && made.head !== undefined && made.head >= block) continue;
    for (const candidate of other.state.steps.filter(({ id }) => made.steps.includes(id)))
      if (candidate.claims.some((claim) => isTold(claim, hash)) && (await isFit(other, candidate)))
        return 'told';
  }
  return 'nobody';
}

/**
 * An ask of which nobody waits for anything more leaves it to one that does: for the same step, or of another request for
 * the same call.
 */
export async function isAwaited(
  parts: JudgeParts,
  { record, ask, step, account }: AskedAccount,
  carrier: string,
  seen: Sighted,
): Promise<boolean> {
  if (isAwaiting(ask)) return false;
  if (record.state.asks.some((one) => isAwaiting(one) && one.steps.includes(step.id))) return true;
  const isFit = await fitFor(parts, record, step, { ...seen, from: account, carrier });
  for await (const { other, made } of asksOfOthers(parts, record, account)) {
    if (!isAwaiting(made)) continue;
    const steps = other.state.steps.filter(
      ({ id, status }) => made.steps.includes(id) && status !== 'confirmed',
    );
    for (const candidate of steps) if (await isFit(other, candidate)) return true;
  }
  return false;
}

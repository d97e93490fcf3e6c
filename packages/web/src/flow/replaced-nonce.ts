/**
 * The number that an open prompt of a replaced request would use. What is sent with the same number takes its place: at
 * most one of the two can be mined (docs/spec/review.md D1).
 */
import { wasAsked } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { nextNonce, sameAddress } from '../wallet/wallet-calls.js';
import type { Signer } from './family.js';

export async function replacedNonce(
  record: HandoffRecord,
  step: Step,
  { provider, account }: Signer,
): Promise<number | undefined> {
  const { replaces, steps } = record;
  if (!replaces?.openPrompt || replaces.nonce === undefined || replaces.account === undefined)
    return undefined;
  // The number is that of one prompt. Once another step has used it, it would take the place of that step.
  const others = steps.filter(({ id }) => id !== step.id);
  if (!sameAddress(replaces.account, account) || others.some((one) => wasAsked(record, one)))
    return undefined;
  // A number that is used up, or has others before it, would keep this one from being mined.
  const next = await nextNonce(provider, account);
  return next === undefined || next === replaces.nonce ? replaces.nonce : undefined;
}

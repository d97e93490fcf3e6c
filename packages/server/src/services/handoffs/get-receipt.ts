import { type JsonObject, RejectionCode, rejectWith, signReceipt } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { auditForReceipt } from '../../proof/audited-receipt.js';
import { entryPages } from '../../proof/entry-pages.js';
import type { Outcome } from '../outcome.js';
import type { HandoffDependencies } from './dependencies.js';
import { findHandoff, handoffNotFound } from './find-handoff.js';

/** A signed receipt of a finished handoff. Its history is checked first, entry by entry. */
export async function getReceipt(
  deps: HandoffDependencies,
  principal: Principal,
  handoffId: string,
): Promise<Outcome<JsonObject>> {
  const found = await findHandoff(deps, principal, handoffId);
  if (!found) return { rejection: handoffNotFound(handoffId) };
  const { store, codec, signer, now, metrics } = deps;
  const { verdict, receipt } = await auditForReceipt(found.ref, entryPages(store, found.ref), codec);
  if (!verdict.ok) {
    metrics.replayMismatch();
    const message = 'the stored history does not hold; no receipt can be given for it';
    return { rejection: rejectWith(RejectionCode.INTERNAL_ERROR, message, { handoffId }) };
  }
  const made = receipt(found.offer.handoffId);
  if ('none' in made) return { rejection: rejectWith(RejectionCode.CONFLICT, made.none, { handoffId }) };
  return { value: signReceipt(made.body, now(), signer, codec) };
}

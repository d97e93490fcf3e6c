import { holderOf } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { FoundHandoff } from './find-handoff.js';
import { phaseOf, statusOfPhase } from './handoff-phase.js';
import type { HandoffTextReader, HandoffTexts } from './handoff-texts.js';
import { formatHandoffId } from './ids.js';
import { instructionFor } from './instruction.js';
import type { HandoffView } from './types.js';

export async function viewHandoff(
  texts: HandoffTextReader,
  principal: Principal,
  found: FoundHandoff,
): Promise<HandoffView> {
  return handoffView(found, await texts.read(found), principal.agent);
}

function handoffView(found: FoundHandoff, texts: HandoffTexts, viewer: string): HandoffView {
  const { session, offer } = found;
  const { binding } = session;
  const phase = phaseOf(found);
  return {
    handoffId: formatHandoffId(session.id, offer.handoffId),
    macpSessionId: session.id,
    offerId: offer.handoffId,
    ...(binding && { sessionKey: binding.worklog, requestType: binding.requestType }),
    from: offer.offeredBy,
    to: offer.target,
    scope: texts.scope,
    reason: texts.reason,
    status: statusOfPhase(phase),
    phase,
    instruction: instructionFor(found, phase, viewer),
    autoCommit: binding?.autoCommit ?? false,
    offeredAt: offer.offeredAt,
    expiresAt: session.deadline,
    ...(offer.answeredAt !== undefined && { answeredAt: offer.answeredAt }),
    ...(texts.answerReason !== undefined && { answerReason: texts.answerReason }),
    implicit: offer.implicit,
    contexts: offer.contexts,
    lateContexts: offer.lateContexts,
    holder: holderOf(session),
    ...(binding && { packageUpTo: binding.upTo }),
    ...(texts.packageDigest !== undefined && { packageDigest: texts.packageDigest }),
  };
}

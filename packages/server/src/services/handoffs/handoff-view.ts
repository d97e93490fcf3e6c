import { holderOf } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { FoundHandoff } from './find-handoff.js';
import { isLive, phaseOf, statusOfPhase } from './handoff-phase.js';
import type { HandoffPresent, HandoffTextReader, HandoffTexts } from './handoff-texts.js';
import { formatHandoffId } from './ids.js';
import { instructionFor } from './instruction.js';
import type { HandoffView } from './types.js';

export async function viewHandoff(
  texts: HandoffTextReader,
  principal: Principal,
  found: FoundHandoff,
): Promise<HandoffView> {
  return handoffView(found, await texts.read(found), principal.agent, await texts.present(found));
}

/** The handoffs of one session, in order; of very many, the newest. */
export async function viewNewest(
  texts: HandoffTextReader,
  principal: Principal,
  found: readonly FoundHandoff[],
): Promise<readonly HandoffView[]> {
  const views: HandoffView[] = [];
  // One after another: the texts of each may be long.
  for (const one of found.slice(-fixedLimits.offersInList.value))
    views.push(await viewHandoff(texts, principal, one));
  return views;
}

function handoffView(
  found: FoundHandoff,
  texts: HandoffTexts,
  viewer: string,
  present: HandoffPresent,
): HandoffView {
  const { session, offer } = found;
  const { binding } = session;
  const phase = phaseOf(found);
  return {
    handoffId: formatHandoffId(session.id, offer.handoffId),
    macpSessionId: session.id,
    offerId: offer.handoffId,
    ...(binding && { sessionKey: binding.worklog, requestType: binding.requestType }),
    ...(present.project && { project: present.project }),
    ...(present.title !== undefined && { title: present.title }),
    // The operator stands in for an owner that is silent, and owns nothing.
    from: binding?.takeOver?.from ?? offer.offeredBy,
    ...(binding?.takeOver && {
      authority: 'operator' as const,
      silentSince: binding.takeOver.silentSince,
    }),
    to: offer.target,
    scope: cut(texts.scope),
    reason: cut(texts.reason),
    status: statusOfPhase(phase),
    phase,
    instruction: instructionFor(found, phase, { ...present, viewer }),
    autoCommit: binding?.autoCommit ?? false,
    offeredAt: offer.offeredAt,
    expiresAt: Math.max(session.deadline, present.leftUntil ?? 0, present.saidUntil ?? 0),
    ...(offer.answeredAt !== undefined && { answeredAt: offer.answeredAt }),
    ...(texts.answerReason !== undefined && { answerReason: cut(texts.answerReason) }),
    implicit: offer.implicit,
    contexts: offer.contexts,
    lateContexts: offer.lateContexts,
    // Work that was taken over, or handed on since, is not with whom this handoff left it.
    holder: (isLive(phase) ? undefined : present.owner) ?? holderOf(session),
    ...(binding && { packageUpTo: binding.upTo }),
    ...(texts.packageDigest !== undefined && { packageDigest: texts.packageDigest }),
  };
}

const MAX_TEXT = fixedLimits.shownTextLength.value;
const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

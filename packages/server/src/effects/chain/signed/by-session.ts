import {
  type AskState,
  ClaimKind,
  ClaimSource,
  type OperationCommand,
  type SessionAsk,
  type StepState,
} from '@handover/core';
import { checkSession } from '../../../chain/check-session.js';
import type { JudgeParts } from '../judge-parts.js';

/** A permit that has run out may reach its node a little later. */
const PERMIT_GRACE_MS = 120_000;

export async function lookBySession(
  { client, deps }: JudgeParts,
  ask: AskState,
  { sessionId, owner, permitExpiry }: SessionAsk,
  step: StepState,
): Promise<OperationCommand | undefined> {
  const { verdict, reason } = await checkSession(client, { owner, sessionId });
  if (verdict === 'matched') {
    const kind = ClaimKind.Session;
    const claim = { step: step.id, ask: ask.id, kind, value: sessionId, owner, source: ClaimSource.Logs };
    return { kind: 'claim', claim };
  }
  const isPast = deps.now() > permitExpiry * 1_000 + PERMIT_GRACE_MS;
  return isPast && reason === 'not_started' && ask.standing !== 'not_signed'
    ? { kind: 'settleAsk', ask: ask.id }
    : undefined;
}

/**
 * What time does to an operation. It expires while something is left to do; once everything was sent it no longer does,
 * but it is not kept open for ever: what the chain has not shown by then is closed as it stands.
 */

import { FaultCode, HandoverError } from '../fault.js';
import type { Draft } from '../log/entry.js';
import { runtimeDraft } from '../log/runtime-draft.js';
import { OperationEntryType } from './entry-type.js';
import {
  isFinal,
  isOver,
  isSubmitted,
  type OperationState,
  OperationStatus,
  StepStatus,
  Verification,
  verificationOf,
} from './state.js';

/** How long a hash is waited for after the wallet was asked, and the chain after a hash was named. */
export const LATE_CLAIM_MS = 24 * 60 * 60 * 1000;

interface End {
  readonly type: OperationEntryType;
  readonly at: number;
}

export function operationDue(state: OperationState): number | undefined {
  return nextEnd(state)?.at;
}

export function operationTick(state: OperationState): Draft {
  const end = nextEnd(state);
  if (!end) throw new HandoverError(FaultCode.INTERNAL, 'an operation that is not due was ticked');
  return runtimeDraft(end.type, state.seq + 1, end.at);
}

/** In time up to and including the deadline; so it falls due one millisecond later. */
function nextEnd(state: OperationState): End | undefined {
  const ttl = state.expiresAt + 1;
  if (isOver(state)) return lateEnd(state, ttl);
  const requested = state.steps.find(({ status }) => status === StepStatus.Requested);
  if (requested)
    return {
      type: OperationEntryType.Expired,
      at: Math.max(ttl, (requested.requestedAt ?? 0) + LATE_CLAIM_MS),
    };
  if (!everythingSent(state)) return { type: OperationEntryType.Expired, at: ttl };
  const word = verificationOf(state);
  if (word === Verification.Unverified && !state.watched) return { type: OperationEntryType.Closed, at: ttl };
  return { type: OperationEntryType.Closed, at: Math.max(ttl, lastClaimAt(state) + LATE_CLAIM_MS) };
}

/** Expired with something on its way: the chain may still speak about it, for so long. */
function lateEnd(state: OperationState, ttl: number): End | undefined {
  const open = state.status === OperationStatus.Expired && !state.closed;
  if (!open || !state.steps.some(({ status }) => status === StepStatus.Submitted)) return undefined;
  return { type: OperationEntryType.Closed, at: Math.max(ttl, lastClaimAt(state) + LATE_CLAIM_MS) };
}

function everythingSent({ steps, result }: OperationState): boolean {
  if (result) return true;
  return steps.some(isSubmitted) && steps.every((step) => isSubmitted(step) || isFinal(step.status));
}

function lastClaimAt({ steps, result }: OperationState): number {
  return Math.max(result?.at ?? 0, ...steps.map(({ submittedAt = 0 }) => submittedAt));
}

/**
 * How an operation ends by time. It expires while something is left to do. Once everything was sent, it does not
 * expire; it is closed as it is if the chain has not confirmed it in time.
 */

import { FaultCode, HandoverError } from '../../fault.js';
import type { Draft } from '../../log/entry.js';
import { runtimeDraft } from '../../log/runtime-draft.js';
import { OperationEntryType } from '../entry-type.js';
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

/** How long the server waits for a claim after the wallet was asked, and for the chain after a claim. */
export const LATE_CLAIM_MS = 24 * 60 * 60 * 1000;

interface End {
  readonly type: OperationEntryType;
  readonly at: number;
}

export function rev1Due(state: OperationState): number | undefined {
  return nextEnd(state)?.at;
}

export function rev1Tick(state: OperationState): Draft {
  const end = nextEnd(state);
  if (!end) throw new HandoverError(FaultCode.INTERNAL, 'an operation that is not due was ticked');
  return runtimeDraft(end.type, state.seq + 1, end.at);
}

/** The deadline itself is still in time, so the operation falls due one millisecond later. */
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

/** The end of an operation that expired after a step was sent: until then, verifications may still come. */
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

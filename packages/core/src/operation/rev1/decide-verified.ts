/**
 * Decides the command `verified`. It is about one claim: if that claim has been replaced meanwhile, the command changes
 * nothing. Each change is one entry; the same verdict again adds none.
 */

import { accepted, type Decision, type Stamp } from '../../decider.js';
import { NO_PAYLOAD } from '../../log/entry.js';
import { operationDraft } from '../draft.js';
import { OperationEntryType } from '../entry-type.js';
import type { OperationCommand } from './command.js';
import { evolveVerified } from './evolve-verified.js';
import { claimKey, type OperationState, type StepState, StepStatus, Verification } from './state.js';

type Verified = Extract<OperationCommand, { readonly kind: 'verified' }>;

export function decideVerified(state: OperationState, command: Verified, stamp: Stamp): Decision {
  if (!isNews(state, command)) return accepted();
  const { subject, verdict, block, reason } = command;
  const facts = {
    ...subject,
    verdict,
    ...(block && { block: block.number, block_hash: block.hash }),
    ...(reason !== undefined && { reason }),
  };
  // The entry names the new status, so that a reader of the log alone sees how the operation ended.
  const { status } = evolveVerified(state, facts);
  const moved = status === state.status ? facts : { ...facts, status };
  return accepted(operationDraft(OperationEntryType.Verified, stamp, moved, NO_PAYLOAD));
}

function isNews(state: OperationState, { subject, verdict, block }: Verified): boolean {
  if ('result' in subject) {
    const { result } = state;
    if (result?.digest !== subject.result || result.verification === Verification.Matched) return false;
    return result.verification !== verdict;
  }
  const step = state.steps.find(({ id }) => id === subject.step);
  if (!step || step.status !== StepStatus.Submitted || claimKey(step.claim) !== subject.claim) return false;
  return isStepNews(step, verdict, block?.hash);
}

function isStepNews(step: StepState, verdict: Verified['verdict'], blockHash: string | undefined): boolean {
  switch (verdict) {
    case 'pending':
      return blockHash === undefined
        ? step.verification === Verification.Unverified
        : step.block?.hash !== blockHash;
    case 'reorged':
      return step.block !== undefined;
    case 'mismatched':
      return step.verification !== Verification.Mismatched;
    case 'matched':
    case 'reverted':
      return true;
  }
}

/** Why the sender of a carrier counts for a step (review:C4). */
import type { BoundBy, StepState } from '@handover/core';
import type { Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';

/** Who sent it is somebody whom the step names, or whose wallet was asked before its block. */
export function bindingOf(
  { state }: OperationRecord,
  step: StepState,
  { from, block }: Proof,
): BoundBy | undefined {
  if (from === undefined || !block) return undefined;
  if (step.from === from) return 'from';
  if (state.signer !== undefined) return state.signer === from ? 'expected_signer' : undefined;
  const isBefore = ({ account, head }: { readonly account?: string; readonly head?: number }) =>
    account === from && (head === undefined || head < block.number);
  const asked = state.asks.some((ask) => ask.steps.includes(step.id) && isBefore(ask));
  return asked || state.connected.some(isBefore) ? 'ask' : undefined;
}

/** Whether an account has anything to do with a step. */
export function isBound({ state }: OperationRecord, step: StepState, account: string): boolean {
  const named = step.from ?? state.signer;
  if (named !== undefined) return named === account;
  const asks = state.asks.filter(({ steps }) => steps.includes(step.id));
  return [...asks, ...state.connected].some((one) => one.account === account);
}

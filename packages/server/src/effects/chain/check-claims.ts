/**
 * Looks once at the chain for everything that a record claims. It returns what to record and whether to look again; it
 * records nothing itself. The family of the record proves a claim.
 */
import { claimKey, type OperationCommand, StepStatus, Verification } from '@handover/core';
import type { ChainClient } from '../../chain/port.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { OperationRecord } from '../../services/operations/record.js';

export type Verdict = Extract<OperationCommand, { readonly kind: 'verified' }>;

export interface Look {
  readonly verdicts: readonly Verdict[];
  /** True when at least one claim needs another look. */
  readonly again: boolean;
}

const isOpen = (word: Verification): boolean =>
  word !== Verification.Matched && word !== Verification.Mismatched;

/** Whether there is anything to look for. */
export function hasOpenClaims({ state }: OperationRecord): boolean {
  if (state.closed) return false;
  const steps = state.steps.some(
    ({ status, verification }) => status === StepStatus.Submitted && isOpen(verification),
  );
  return (
    steps ||
    (state.result !== undefined && isOpen(state.result.verification) && awaitsChain(state.result.outcome))
  );
}

const awaitsChain = (outcome: string): boolean => outcome !== 'failed' && outcome !== 'cancelled';

export async function lookAt(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<Look> {
  const { state } = record;
  const family = FAMILY_SERVICES[state.family];
  const verdicts: Verdict[] = [];
  for (const step of state.steps) {
    if (step.status !== StepStatus.Submitted || !isOpen(step.verification)) continue;
    const found = await family.proveStep(deps, client, record, step);
    if (found)
      verdicts.push({ kind: 'verified', subject: { step: step.id, claim: claimKey(step.claim) }, ...found });
  }
  const { result } = state;
  if (result && isOpen(result.verification) && awaitsChain(result.outcome)) {
    const found = await family.proveResult?.(deps, client, record);
    if (found) verdicts.push({ kind: 'verified', subject: { result: result.digest }, ...found });
  }
  const open = verdicts.some(({ verdict }) => verdict === 'pending' || verdict === 'reorged');
  return { verdicts, again: open };
}

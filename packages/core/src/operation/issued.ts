/** When receipts are issued: first when a record is over or closed, then whenever what the last one said has changed. */
import { ClaimStanding, isOver, type OperationState } from './state.js';

export function withReceipt(before: OperationState | undefined, after: OperationState): OperationState {
  return needsReceipt(before, after) ? { ...after, issued: [...after.issued, after.seq] } : after;
}

function needsReceipt(before: OperationState | undefined, after: OperationState): boolean {
  if (!before || before.issued.length === 0) return isOver(after);
  return (
    before.status !== after.status ||
    before.closed !== after.closed ||
    before.effect !== after.effect ||
    carriers(before) !== carriers(after)
  );
}

const carriers = ({ steps }: OperationState): string =>
  steps
    .flatMap(({ claims }) => claims.filter(({ standing }) => standing !== ClaimStanding.Open))
    .map(({ carrier, value, standing }) => `${carrier ?? value} ${standing}`)
    .join();

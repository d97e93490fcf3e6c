/** One look at the chain for one record: asks, and submits what was learned. It never throws. */
import { RUNTIME_ACTOR, type StreamRef } from '@handover/core';
import { ChainRefused, ChainUnavailable } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { readRecord } from '../../services/operations/record.js';
import { submitTo } from '../../services/operations/submit.js';
import { hasOpenClaims, lookAt } from './check-claims.js';

export interface LookResult {
  /** False: there is nothing more to look for. */
  readonly again: boolean;
  /** Something was learned and recorded. */
  readonly moved: boolean;
  /** The RPC is left alone for so long, and nothing was asked. */
  readonly pausedMs?: number;
}

const PATIENCE = { asker: 'verifier', withinMs: fixedLimits.chainLookMs.value };
const NOTHING_MORE: LookResult = { again: false, moved: false };

export async function lookAtRecord(
  deps: OperationDependencies,
  ref: StreamRef<'operation'>,
): Promise<LookResult> {
  try {
    const record = await readRecord(deps, ref);
    if (!record || !hasOpenClaims(record)) return NOTHING_MORE;
    const client = await deps.chains.chain(record.state.chainId, PATIENCE);
    if (!client) return NOTHING_MORE;
    const { verdicts, again } = await lookAt(deps, client, record);
    let moved = false;
    for (const command of verdicts) {
      const answer = await submitTo(deps, record, RUNTIME_ACTOR, command);
      if (answer.ok && answer.results.some(({ entries }) => entries.length > 0)) moved = true;
    }
    return { again, moved };
  } catch (error) {
    return failed(deps, ref, error);
  }
}

function failed({ log }: OperationDependencies, { id }: StreamRef, error: unknown): LookResult {
  const again = { again: true, moved: false };
  if (error instanceof ChainUnavailable)
    return error.retryAfterMs === undefined ? again : { ...again, pausedMs: error.retryAfterMs };
  if (!(error instanceof ChainRefused)) log.error('operations.look', { operation: id, error });
  return again;
}

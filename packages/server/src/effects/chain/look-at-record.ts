/** One look at the chain for one record: at what was claimed, and for what nobody told. It never throws. */
import {
  type AskState,
  ClaimStanding,
  isDoneEffect,
  isOpenResult,
  isSoughtAtAll,
  type OperationState,
  pendingOf,
  QUIET_MS,
  type StreamRef,
  windowEnd,
} from '@handover/core';
import { ChainElsewhere, ChainRefused, ChainUnavailable } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import { judgeClaim, judgeLoose } from './judge-claim.js';
import type { JudgeParts } from './judge-parts.js';
import { judgeResult } from './judge-result.js';
import { lookForSigned } from './look-for-signed.js';

export interface LookResult {
  /** False: there is nothing more to look for. */
  readonly again: boolean;
  /** Something was learned and recorded. */
  readonly moved: boolean;
  /** What is left to look for is only what nobody waits for any more: the next look has so much time. */
  readonly calmMs?: number;
  /** The RPC is left alone for so long, and nothing was asked. */
  readonly pausedMs?: number;
}

const PATIENCE = { asker: 'verifier', withinMs: fixedLimits.chainLookMs.value };
const NOTHING_MORE: LookResult = { again: false, moved: false };

/** Whether there is anything to look for: claims that are open, asks that may have been signed, results to be shown. */
export function isWatchable(state: OperationState, now: number): boolean {
  if (state.windowOver) return false;
  const { waiting, open, quiet } = pendingOf(state);
  if (open || waiting || quiet) return true;
  // A spare ask of a step that is done may still be signed, and so may one that somebody said was not, or that failed; a
  // result may hold yet.
  const told = isOpenResult(state) || state.steps.some(({ claims }) => claims.some(isOpen));
  const spare = told || state.asks.some((ask) => isSoughtAtAll(state, ask));
  return spare && now <= windowEnd(state);
}

/**
 * Nothing of it waits: it may only turn out that something was signed after all. A claim that was told for a step that is
 * done is more than that: it may have been paid twice, and somebody is to hear of it soon.
 */
function isSpareOnly(state: OperationState): boolean {
  const { waiting, open, quiet } = pendingOf(state);
  const isTold = state.steps.some(({ claims }) => claims.some(isOpen));
  return !(waiting || open || quiet || isTold || isOpenResult(state));
}

/** A prompt that was left open is signed soon or never. */
function calmness(state: OperationState, now: number): Pick<LookResult, 'calmMs'> {
  if (!isSpareOnly(state)) return {};
  const { lateSignedMs, lateSignedLookMs, doneLookMs } = fixedLimits;
  const isFresh = state.asks.some(
    (ask) => isSoughtAtAll(state, ask) && now < leftAt(ask) + lateSignedMs.value,
  );
  return { calmMs: isFresh ? lateSignedLookMs.value : doneLookMs.value };
}

/** When somebody said that it was not signed, else when it was made. */
const leftAt = ({ at, quietUntil }: AskState): number =>
  quietUntil === undefined ? at : quietUntil - QUIET_MS;

export async function lookAtRecord(
  deps: OperationDependencies,
  kept: Pick<JudgeParts, 'asks' | 'marks'>,
  ref: StreamRef<'operation'>,
): Promise<LookResult> {
  let chainId: number | undefined;
  try {
    const record = await readRecord(deps, ref);
    if (!record || !isWatchable(record.state, deps.now())) return NOTHING_MORE;
    chainId = record.state.chainId;
    const client = await deps.chains.chain(chainId, PATIENCE);
    if (!client) {
      deps.chainTroubles.unread(chainId);
      return NOTHING_MORE;
    }
    const moved = await look({ deps, client, ...kept }, record);
    deps.chainTroubles.answered(chainId);
    const after = await readRecord(deps, ref);
    const again = after !== undefined && isWatchable(after.state, deps.now());
    return { again, moved, ...(again && calmness(after.state, deps.now())) };
  } catch (error) {
    if (chainId !== undefined && error instanceof ChainUnavailable)
      deps.chainTroubles.failed(chainId, error instanceof ChainElsewhere);
    return failed(deps, ref, error);
  }
}

async function look(parts: JudgeParts, record: OperationRecord): Promise<boolean> {
  let moved = false;
  for (const step of record.state.steps) {
    if (isDoneEffect(step.effect) && !step.claims.some(isOpen)) continue;
    for (const claim of step.claims.filter(isOpen))
      moved = (await judgeClaim(parts, record, step, claim)) || moved;
  }
  for (const claim of record.state.loose.filter(isOpen))
    moved = (await judgeLoose(parts, record, claim)) || moved;
  moved = (await judgeResult(parts, record.ref)) || moved;
  // What was just learned of a claim may have ended the search.
  const present = moved ? await readRecord(parts.deps, record.ref) : record;
  return (present !== undefined && (await lookForSigned(parts, present))) || moved;
}

const isOpen = ({ standing }: { readonly standing: ClaimStanding }): boolean =>
  standing === ClaimStanding.Open;

function failed({ log }: OperationDependencies, { id }: StreamRef, error: unknown): LookResult {
  const again = { again: true, moved: false };
  if (error instanceof ChainUnavailable)
    return error.retryAfterMs === undefined ? again : { ...again, pausedMs: error.retryAfterMs };
  if (!(error instanceof ChainRefused)) log.error('operations.look', { operation: id, error });
  return again;
}

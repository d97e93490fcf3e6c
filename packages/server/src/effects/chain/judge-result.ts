/**
 * From what the chain shows of a result to what is recorded of it. A contract that only a result names serves one step of the
 * whole server, as a transaction does, and whoever told of it first goes first (told-contracts.ts).
 */
import {
  CONTESTED,
  isOpenResult,
  type OperationCommand,
  ReasonCode,
  RejectionCode,
  RUNTIME_ACTOR,
  type StreamRef,
  Verification,
} from '@handover/core';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { TakenContract } from '../../services/operations/families/family.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import { submitTo } from '../../services/operations/submit.js';
import { servedWhom, submitTakingAll } from './carriers.js';
import type { JudgeParts } from './judge-parts.js';
import { isToldElsewhere } from './told-contracts.js';

/** The claims were judged just before, so the record is read again. Whether anything was recorded. */
export async function judgeResult(parts: JudgeParts, ref: StreamRef<'operation'>): Promise<boolean> {
  const { deps, client } = parts;
  const record = await readRecord(deps, ref);
  const result = record?.state.result;
  if (!record || !result || !isOpenResult(record.state)) return false;
  const found = await FAMILY_SERVICES[record.state.family].proveResult?.(deps, client, record);
  if (!found) return false;
  const { claims = [], takes = [], ...said } = found;
  const told = claims.map((claim): OperationCommand => ({ kind: 'claim', claim }));
  const judged = { kind: 'judgeResult', digest: result.digest } as const;
  const say = async (verdict: 'pending' | 'mismatched', reason: string): Promise<boolean> => {
    const command = { ...judged, verdict, reason, shown: [] };
    const { ok, ...answer } = await submitTo(deps, record, RUNTIME_ACTOR, command);
    return ok && 'results' in answer && answer.results.some(({ entries }) => entries.length > 0);
  };
  if (await isToldElsewhere(parts, record, takes, result.at))
    return say(Verification.Pending, 'asked_elsewhere');
  const answer = await submitTakingAll(parts, record, [...told, { ...judged, ...said }], takes);
  if (answer.ok) return answer.results.some(({ entries }) => entries.length > 0);
  if (takes.length === 0 || answer.rejection.code !== RejectionCode.CONFLICT) return false;
  const isOthers = await haveServedOthers(parts, record, takes);
  return say(Verification.Mismatched, isOthers ? CONTESTED : ReasonCode.HashUsed.toLowerCase());
}

async function haveServedOthers(
  parts: JudgeParts,
  record: OperationRecord,
  takes: readonly TakenContract[],
): Promise<boolean> {
  for (const { carrier } of takes) if ((await servedWhom(parts, record, carrier)) === 'others') return true;
  return false;
}

/**
 * The open asks of others that one and the same call would serve (review:C4). An account in an ask is only said by a page,
 * so anybody can name somebody's account in many asks: they are compared without reading the chain wherever the call is
 * known, and only a bounded number is read at all.
 */
import type { StepState } from '@handover/core';
import { type AskedCall, isSameCall } from '@handover/evm';
import { fixedLimits } from '../../config/fixed-limits.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { Proof } from '../../services/operations/families/family.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import type { JudgeParts } from './judge-parts.js';

export interface OtherFit {
  readonly record: OperationRecord;
  readonly step: StepState;
  readonly ask: string;
  /** It was asked for before the step in question was. */
  readonly isOlder: boolean;
}

/** Oldest ask first. */
export async function otherFits(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  found: Proof,
  claimed: string,
): Promise<readonly OtherFit[]> {
  const { deps, client, asks } = parts;
  const { from, block } = found;
  if (from === undefined || !block) return [];
  const own = record.state.asks.find(({ steps, account }) => steps.includes(step.id) && account === from);
  const isOlder = (at: number, ask: string) => !own || at < own.at || (at === own.at && ask < own.id);
  const isFit = await fitFor(parts, record, step, found);
  const fits: OtherFit[] = [];
  for (const { ref, ask, at } of asks
    .byAccount(client.chainId, from)
    .slice(0, fixedLimits.comparedAsks.value)) {
    // One transaction serves one ask, so later ones are of no interest; of several calls inside they are.
    if (!found.frames && !isOlder(at, ask)) break;
    const other = await readRecord(deps, ref);
    const made = other?.state.asks.find(({ id }) => id === ask);
    if (!other || !made || (made.head !== undefined && made.head >= block.number)) continue;
    for (const candidate of other.state.steps) {
      if (!made.steps.includes(candidate.id) || candidate.status === 'confirmed') continue;
      if (ref.id === record.ref.id && candidate.id === step.id) continue;
      // One that was answered with something else waits for that.
      if (made.standing === 'claimed' && !isClaimedBy(candidate, [claimed, found.carrier])) continue;
      if (await isFit(other, candidate))
        fits.push({ record: other, step: candidate, ask, isOlder: isOlder(at, ask) });
    }
    if (!found.frames && fits.length > 0) break;
  }
  return fits;
}

const isClaimedBy = ({ claims }: StepState, values: readonly (string | undefined)[]): boolean =>
  claims.some(({ value, standing }) => standing === 'open' && values.includes(value));

type IsFit = (other: OperationRecord, candidate: StepState) => Promise<boolean>;

async function fitFor(
  { deps, client }: JudgeParts,
  record: OperationRecord,
  step: StepState,
  { from, carrier }: Proof,
): Promise<IsFit> {
  const { family } = record.state;
  const { askedCall, proveClaim } = FAMILY_SERVICES[family];
  const asked: AskedCall | undefined = await askedCall?.(deps, record, step);
  let proven = 0;
  return async (other, candidate) => {
    if (other.state.family !== family) return false;
    const named = candidate.from ?? other.state.signer;
    if (named !== undefined && named !== from) return false;
    if (asked && askedCall) return isSameCall(asked, await askedCall(deps, other, candidate));
    if (carrier === undefined || proven >= fixedLimits.provenAsks.value) return false;
    proven += 1;
    const looked = { step: candidate, claim: { kind: 'tx', value: carrier } } as const;
    return (await proveClaim(deps, client, other, looked)).verdict === 'matched';
  };
}

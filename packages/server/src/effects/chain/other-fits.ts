/**
 * The open asks of others that one and the same call would serve (review:C4). They are compared without reading the chain
 * wherever the call is known.
 *
 * F1. An ask that was answered with this very value goes before one that heard nothing of it, however old that is: whose
 *     wallet gave it tells it at once. So of several that were, the first to be told has it: who saw it on its way through
 *     the network comes later. Of those of which nobody told, one for which somebody waits goes before one that was given
 *     up, and then the oldest.
 * F2. What would be set aside if it were told of another request is not for that one: it neither gets it nor holds it back.
 */
import type { AskState, BoundBy, ClaimState, StepState } from '@handover/core';
import { type AskedCall, isSameCall } from '@handover/evm';
import { fixedLimits } from '../../config/fixed-limits.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { accountAsks } from './account-asks.js';
import { isAwaiting, isTold } from './asks-and-claims.js';
import { bindingOf } from './binding.js';
import type { JudgeParts } from './judge-parts.js';
import { ageOf, type Mined } from './too-old.js';

export interface OtherFit {
  readonly record: OperationRecord;
  readonly step: StepState;
  readonly ask: string;
  /** What its page told, by whichever name. */
  readonly told?: ClaimState;
  readonly boundBy: BoundBy;
  /** It has a better right to the call than the step in question. */
  readonly goesBefore: boolean;
}

/** The better right first. */
export async function otherFits(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  claim: ClaimState,
  found: Proof,
): Promise<readonly OtherFit[]> {
  const { from, block } = found;
  if (from === undefined || !block) return [];
  const names = [claim.value, found.carrier, ...(found.signed ?? []).map(({ value }) => value)];
  const asked = record.state.asks.filter(({ steps, account }) => steps.includes(step.id) && account === from);
  const own = asked.find(({ id }) => id === claim.ask) ?? asked[0];
  const mine = own && rightOf(own, toldFor(step, own, names));
  const isFit = await fitFor(parts, record, step, found);
  const fits: (OtherFit & { readonly right: Right })[] = [];
  for await (const { other, made } of accountAsks(parts, from, names)) {
    if (made.head !== undefined && made.head >= block.number) continue;
    for (const candidate of other.state.steps) {
      if (!made.steps.includes(candidate.id) || candidate.status === 'confirmed') continue;
      if (other.ref.id === record.ref.id && candidate.id === step.id) continue;
      const told = toldFor(candidate, made, names);
      // One that was answered with something else waits for that.
      if (made.standing === 'claimed' && told === undefined) continue;
      const right = rightOf(made, told);
      const goesBefore = !mine || isBetter(right, mine);
      // One transaction serves one ask, so the others are of no interest; of several calls inside they are.
      if (!found.frames && !goesBefore) continue;
      const boundBy = bindingOf(other, candidate, found);
      if (boundBy && (await isFit(other, candidate)))
        fits.push({
          record: other,
          step: candidate,
          ask: made.id,
          ...(told && { told }),
          boundBy,
          goesBefore,
          right,
        });
    }
  }
  fits.sort((a, b) => (isBetter(a.right, b.right) ? -1 : 1));
  return found.frames ? fits : fits.slice(0, 1);
}

interface Right {
  /** When its own page told of it; the end of all times: never. */
  readonly told: number;
  readonly awaited: boolean;
  readonly at: number;
  readonly ask: string;
}

const rightOf = (ask: AskState, told: ClaimState | undefined): Right => ({
  told: told?.at ?? Number.POSITIVE_INFINITY,
  // Its claim is the one in question.
  awaited: isAwaiting(ask) || ask.standing === 'claimed',
  at: ask.at,
  ask: ask.id,
});

function isBetter(a: Right, b: Right): boolean {
  if (a.told !== b.told) return a.told < b.told;
  if (a.awaited !== b.awaited) return a.awaited;
  return a.at < b.at || (a.at === b.at && a.ask < b.ask);
}

const toldFor = (
  { claims }: StepState,
  { id }: AskState,
  names: readonly (string | undefined)[],
): ClaimState | undefined => claims.find((claim) => claim.ask === id && isTold(claim, ...names));

/** What is known of the call that is looked for. */
export type Sighted = Pick<Proof, 'from' | 'carrier'> & Mined;
type IsFit = (other: OperationRecord, candidate: StepState) => Promise<boolean>;

export async function fitFor(
  { deps, client }: JudgeParts,
  record: OperationRecord,
  step: StepState,
  found: Sighted,
): Promise<IsFit> {
  const { from, carrier } = found;
  const { family } = record.state;
  const { askedCall, proveClaim } = FAMILY_SERVICES[family];
  const asked: AskedCall | undefined = await askedCall?.(deps, record, step);
  const isTooOld = ageOf(client, found);
  let proven = 0;
  const isSame: IsFit = async (other, candidate) => {
    if (other.state.family !== family) return false;
    const named = candidate.from ?? other.state.signer;
    if (named !== undefined && named !== from) return false;
    if (asked && askedCall) return isSameCall(asked, await askedCall(deps, other, candidate));
    if (carrier === undefined || proven >= fixedLimits.provenAsks.value) return false;
    proven += 1;
    const looked = { step: candidate, claim: { kind: 'tx', value: carrier } } as const;
    return (await proveClaim(deps, client, other, looked)).verdict === 'matched';
  };
  return async (other, candidate) => (await isSame(other, candidate)) && !(await isTooOld(other, candidate));
}

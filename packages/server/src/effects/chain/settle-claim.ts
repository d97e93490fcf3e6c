/**
 * Settles a claim as asked: the verdict and what it takes of its carrier are recorded together. An ask with a better right to the same
 * call goes first; of several equal calls inside one transaction each ask gets one, and what is left over was
 * paid too often.
 */
import {
  type BoundBy,
  ClaimSource,
  type ClaimState,
  type Judgement,
  type OperationCommand,
  RejectionCode,
  type StepState,
} from '@handover/core';
import type { Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { bindingOf } from './binding.js';
import { type Frame, freeFrames, placeOf, submitTaking } from './carriers.js';
import type { JudgeParts } from './judge-parts.js';
import { type OtherFit, otherFits } from './other-fits.js';

/** Which claim a judgement is about: one of a step, or one without, which may turn out to serve a step. */
export type Named = Pick<Judgement, 'step' | 'serves'>;
type Subject = Named & { readonly value: string };

/** `used`: it serves another step. `unbound`: its sender does not count. Else whether anything was recorded. */
export async function settle(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  claim: ClaimState,
  found: Proof,
  subject: Subject,
): Promise<boolean | 'used' | 'unbound'> {
  const others = await otherFits(parts, record, step, claim, found);
  for (const fit of others.filter(({ goesBefore }) => goesBefore))
    await settleFirst(parts, fit, claim, found);
  const boundBy = bindingOf(record, step, found);
  const carrier = found.carrier ?? claim.value;
  const free = await freeFrames(parts, record, step, { ...found, carrier });
  if (free.length === 0) return 'used';
  if (!boundBy) return others.some(({ goesBefore }) => goesBefore) ? 'used' : 'unbound';
  const waiting = others.filter(({ goesBefore }) => !goesBefore).length;
  const own = free.slice(0, Math.max(1, free.length - waiting));
  const command = judged(subject, found, own, boundBy);
  const answer = await submitTaking(parts, record, step.id, [command], carrier, own, found.contract);
  if (answer.ok) return answer.results.some(({ entries }) => entries.length > 0);
  return answer.rejection.code === RejectionCode.CONFLICT ? 'used' : false;
}

/** The record of the other ask gets the claim, though perhaps nobody told it. It was judged as if somebody had. */
async function settleFirst(
  parts: JudgeParts,
  { record, step, ask, told, boundBy }: OtherFit,
  claim: ClaimState,
  found: Proof,
): Promise<void> {
  const carrier = found.carrier ?? claim.value;
  // What a wallet gave is the name of it, unless it was a transaction.
  const value = told?.value ?? (found.frames ? claim.value : carrier);
  const signed = found.signed?.find((one) => one.value === value);
  const { kind = told?.kind ?? claim.kind } = signed ?? {};
  // What the one value turned out to be, the other need not be.
  const { kind: _kind, ...shown } = found;
  const free = await freeFrames(parts, record, step, { ...found, carrier });
  if (free.length === 0) return;
  const own = free.slice(0, 1);
  const source = found.frames ? ClaimSource.Logs : ClaimSource.Nonce;
  const commands: readonly OperationCommand[] = [
    { kind: 'claim', claim: { step: step.id, ask, kind, value, source } },
    judged({ step: step.id, value }, { ...shown, ...(signed && { kind }) }, own, boundBy),
  ];
  await submitTaking(parts, record, step.id, commands, carrier, own, found.contract);
}

function judged(
  subject: Subject,
  found: Proof,
  frames: readonly Frame[],
  boundBy: BoundBy,
): OperationCommand {
  const names = frames.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const place = { ...placeOf(found), ...(names.length > 0 && { frames: names }) };
  return {
    kind: 'judge',
    judgement: { ...subject, verdict: 'matched', ...place, boundBy },
  };
}

/** Which step a mined transaction, or a call inside one, serves: the first that takes it, of the whole server. */
import {
  type ClaimKind,
  carrierRef,
  contractCarrier,
  type OperationCommand,
  RUNTIME_ACTOR,
  type StepState,
} from '@handover/core';
import type { Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { submitWith } from '../../services/operations/submit.js';
import type { JudgeParts } from './judge-parts.js';

/** Undefined: the carrier is itself the call. */
type Frame = string | undefined;

export const framesOf = ({ frames }: Proof): readonly Frame[] => frames ?? [undefined];

/** Those that serve no other step, of whatever record. */
export async function freeFrames(
  { deps, client }: JudgeParts,
  { ref }: OperationRecord,
  step: StepState,
  found: Proof,
): Promise<readonly Frame[]> {
  const { carrier } = found;
  if (carrier === undefined) return framesOf(found);
  const free: Frame[] = [];
  for (const frame of framesOf(found)) {
    const taken = await deps.engine.query(carrierRef(client.chainId, carrier, frame));
    const { tenant, operation, step: by } = taken?.state ?? {};
    if (!taken || (tenant === ref.tenant && operation === ref.id && by === step.id)) free.push(frame);
  }
  return free;
}

/** Takes the frames, and what they have created, and records the commands: all, or nothing. */
export function submitTaking(
  parts: JudgeParts,
  record: OperationRecord,
  step: string,
  commands: readonly OperationCommand[],
  carrier: string,
  frames: readonly Frame[],
  contract?: string,
) {
  const made = contract === undefined ? [] : [{ step, carrier: contractCarrier(contract) }];
  return submitTakingAll(parts, record, commands, [
    ...frames.map((frame) => ({ step, carrier, frame })),
    ...made,
  ]);
}

interface Taken {
  readonly step: string;
  readonly carrier: string;
  readonly frame?: Frame;
}

export function submitTakingAll(
  { deps, client }: JudgeParts,
  record: OperationRecord,
  commands: readonly OperationCommand[],
  taken: readonly Taken[],
) {
  const { tenant, id: operation } = record.ref;
  const takes = taken.map(({ step, carrier, frame }) => ({
    stream: carrierRef(client.chainId, carrier, frame),
    command: { kind: 'take', tenant, operation, step } as const,
  }));
  return submitWith(deps, record, RUNTIME_ACTOR, commands, takes);
}

/** What is recorded of a proof that settles something, or may. */
export const placeOf = (found: Proof) => {
  const { block, carrier, frames, proof, contract, from, nonce, kind, owners, safeNonce, fee } = found;
  return {
    ...(from !== undefined && nonce !== undefined && { sender: from, nonce }),
    ...(safeNonce !== undefined && { nonce: safeNonce }),
    ...(block && { block }),
    ...(carrier !== undefined && { carrier }),
    ...(frames && { frames }),
    ...(proof !== undefined && { proof }),
    ...(contract !== undefined && { contract }),
    ...(kind !== undefined && { kind: kind satisfies ClaimKind }),
    ...(owners !== undefined && { owners }),
    ...(fee !== undefined && { fee }),
  };
};

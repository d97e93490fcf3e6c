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
import { operationRef } from '../../services/operations/ids.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import { submitWith } from '../../services/operations/submit.js';
import type { JudgeParts } from './judge-parts.js';

export interface Frame {
  /** Undefined: the carrier is itself the call. */
  readonly name?: string;
  /** What the call wrote to the log. It is taken along, so that it proves nothing for another. */
  readonly line?: string;
}

function framesOf({ frames, lines = [] }: Proof): readonly Frame[] {
  if (!frames) return [{}];
  return frames.map((name, i) => ({ name, ...(lines[i] !== undefined && { line: lines[i] }) }));
}

const refsOf = (chainId: number, carrier: string, { name, line }: Frame) => [
  carrierRef(chainId, carrier, name),
  ...(line === undefined ? [] : [carrierRef(chainId, carrier, line)]),
];

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
  const isFree = async (place: ReturnType<typeof carrierRef>) => {
    const taken = await deps.engine.query(place);
    const { tenant, operation, step: by } = taken?.state ?? {};
    return !taken || (tenant === ref.tenant && operation === ref.id && by === step.id);
  };
  for (const frame of framesOf(found)) {
    const refs = refsOf(client.chainId, carrier, frame);
    if ((await Promise.all(refs.map(isFree))).every(Boolean)) free.push(frame);
  }
  return free;
}

/** Whose requests a carrier has served, besides this one: of the same creator, or of others. */
export async function servedWhom(
  { deps, client }: JudgeParts,
  { ref, state }: OperationRecord,
  carrier: string,
  frames: readonly (string | undefined)[] = [undefined],
): Promise<'nobody' | 'creator' | 'others'> {
  let whom: 'nobody' | 'creator' = 'nobody';
  for (const frame of frames) {
    const taken = (await deps.engine.query(carrierRef(client.chainId, carrier, frame)))?.state;
    if (!taken || (taken.tenant === ref.tenant && taken.operation === ref.id)) continue;
    const other = await readRecord(deps, operationRef(taken.tenant, taken.operation));
    if (taken.tenant !== ref.tenant || other?.state.creator !== state.creator) return 'others';
    whom = 'creator';
  }
  return whom;
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
  const takes = taken.flatMap(({ step, carrier, frame }) =>
    refsOf(client.chainId, carrier, frame ?? {}).map((stream) => ({
      stream,
      command: { kind: 'take', tenant, operation, step } as const,
    })),
  );
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

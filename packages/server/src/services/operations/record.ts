/** A record as the engine knows it. documents.ts reads what else the log holds of it. */
import { type ChainHead, type OperationState, presentOperation, type StreamRef } from '@handover/core';
import type { OperationDependencies } from './dependencies.js';

export interface OperationRecord {
  readonly ref: StreamRef<'operation'>;
  readonly state: OperationState;
  readonly head: ChainHead;
}

/** The record, up to date with the clock; undefined when there is none. */
export async function readRecord(
  { engine }: Pick<OperationDependencies, 'engine'>,
  ref: StreamRef<'operation'>,
): Promise<OperationRecord | undefined> {
  const found = await engine.query(ref);
  return found && { ref, state: presentOperation(found.state), head: found.head };
}

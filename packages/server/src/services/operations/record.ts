/** A whole record: its state, and the documents that the log holds of it. */
import {
  type Codec,
  type Entry,
  FaultCode,
  GENESIS,
  HandoverError,
  headOf,
  isFields,
  type JsonObject,
  type OperationState,
  operationDecider,
  payloadFlaw,
  type StreamRef,
} from '@handover/core';
import type { OperationDependencies } from './dependencies.js';

export interface OperationRecord {
  readonly ref: StreamRef<'operation'>;
  readonly state: OperationState;
  readonly head: typeof GENESIS;
  /** What was asked for. */
  readonly created: JsonObject;
  readonly entries: readonly Entry[];
}

const PAGE = { entries: 1_000, bytes: 32 * 1024 * 1024 };

/** Brings it up to date with the clock first; undefined when there is none. */
export async function readRecord(
  deps: OperationDependencies,
  ref: StreamRef<'operation'>,
): Promise<OperationRecord | undefined> {
  const { engine, store, codec } = deps;
  if (!(await engine.query(ref))) return undefined;
  const entries: Entry[] = [];
  for (;;) {
    const page = await store.read(ref, entries.length, PAGE);
    if (page.length === 0) break;
    entries.push(...page);
    if (
      page.length < PAGE.entries &&
      page.reduce((sum, { payload }) => sum + payload.length, 0) <= PAGE.bytes
    )
      break;
  }
  let state: OperationState | undefined;
  for (const entry of entries) {
    const flaw = payloadFlaw(codec, entry);
    if (flaw) throw new HandoverError(FaultCode.DATA_LOSS, `stored history is damaged: ${flaw}`);
    state = operationDecider.evolve(state, entry);
  }
  const [first] = entries;
  const last = entries.at(-1);
  if (!state || !first) return undefined;
  return { ref, state, head: last ? headOf(last) : GENESIS, created: documentOf(first, codec), entries };
}

/** The JSON of an entry; an empty one is an empty object. */
export function documentOf({ payload }: Entry, codec: Codec): JsonObject {
  if (payload.length === 0) return {};
  const value: unknown = JSON.parse(codec.text(payload) ?? '{}');
  return isFields(value) ? (value as JsonObject) : {};
}

/** The result that stands now. */
export function resultOf({ state, entries }: OperationRecord, codec: Codec): JsonObject | undefined {
  const entry = state.result && entries[state.result.seq - 1];
  return entry && documentOf(entry, codec);
}

/** Insertion order is kept: texts that go on a chain are made from it. */
export const documentBytes = (codec: Codec, document: unknown): Uint8Array =>
  codec.utf8(JSON.stringify(document));

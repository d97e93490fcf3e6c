/** The engine that is tried: the one of the sources, or a changed copy that `SIM_ENGINE` names. */
import type { EntryHead } from '@handover/core';
import * as sources from '../../packages/engine/src/index.js';

export type {
  CommitOutcome,
  MovedStream,
  SharedStore,
  Store,
  StreamAppend,
} from '../../packages/engine/src/index.js';
export type EntryHeads = readonly EntryHead[];
export type Engine = sources.Engine;

const other = process.env.SIM_ENGINE;
const tried = other ? ((await import(other)) as typeof sources) : sources;

export const createEngine = (...asked: ConstructorParameters<typeof sources.Engine>): Engine =>
  new tried.Engine(...asked);

/** Where the folder stood when the work was captured last, as the capture says it. */
import { isFields, type StreamRef, WorklogEntryType, type WorklogState } from '@handover/core';
import { briefEntry, type EntrySource } from '../context-entries.js';

export interface GitState {
  readonly branch: string;
  /** The commit, as git shortens it. */
  readonly head?: string;
  /** Something was changed and not committed. */
  readonly dirty: boolean;
  readonly at: number;
}

/** A capture further back says little about the folder as it is now. */
const LOOKED_BACK = 500;

/** Of the entries up to this number. */
export async function lastGit(
  { store, codec }: EntrySource,
  ref: StreamRef,
  { seq }: Pick<WorklogState, 'seq'>,
  upTo: number,
): Promise<GitState | undefined> {
  const heads = await store.load(ref, Math.max(0, seq - LOOKED_BACK), LOOKED_BACK);
  const last = heads.findLast(
    ({ type, facts }) =>
      type === WorklogEntryType.ContextAdded && facts.capture === true && Number(facts.n) <= upTo,
  );
  if (!last) return undefined;
  const [entry] = await store.read(ref, last.seq - 1, { entries: 1, bytes: 0 });
  const { capture } = entry ? briefEntry(entry, codec).metadata : {};
  const text = isFields(capture) ? capture.git : undefined;
  return typeof text === 'string' ? readGit(text, last.at) : undefined;
}

/** Captures are texts of their clients: a line that is not as ours is left out. */
function readGit(text: string, at: number): GitState | undefined {
  const [first = '', second = '', third = ''] = text.split('\n', 3);
  const branch = /^branch (.{1,200}?)(?:, ahead \d+, behind \d+)?$/u.exec(first)?.[1];
  if (branch === undefined) return undefined;
  const head = /^HEAD ([0-9a-f]{4,64})(?: |$)/.exec(second)?.[1];
  return { branch, ...(head !== undefined && { head }), dirty: third !== 'nothing changed', at };
}

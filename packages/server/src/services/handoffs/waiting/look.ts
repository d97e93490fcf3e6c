/** Who looks for what waits, where, and what is found. */
import type { StreamKind, WorklogState } from '@handover/core';
import type { Engine, ListedStream, ListQuery } from '@handover/engine';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { listedRows } from '../../listed-rows.js';
import type { WantedProject } from '../../project.js';
import type { SessionBoard } from '../board/session-board.js';
import type { EntrySource } from '../context-entries.js';
import type { HookItem } from '../hook-text.js';

export interface WaitingSource extends EntrySource {
  readonly engine: Pick<Engine, 'list' | 'query'>;
  readonly board: Pick<SessionBoard, 'of' | 'learn' | 'turn'>;
  readonly now: () => number;
}

export interface Viewer {
  readonly tenant: string;
  readonly agent: string;
  readonly project?: WantedProject;
  /** What was left for whoever comes next is for this agent, too. */
  readonly openParking: boolean;
  /** What is told once is told when it happened after this time; absent: it is not asked for. */
  readonly since?: number;
  /** Of how many of each kind the words are read; the others have names and times only. */
  readonly words?: number;
  /** How many working sessions of each kind are read, the newest. */
  readonly most?: number;
}

export interface Found {
  readonly item: HookItem;
  /** The working session that it is about, if there is one. */
  readonly state?: WorklogState;
}

const MAX_LOOKED_AT = fixedLimits.hookSessions.value;

/** At most as many as are looked at. */
export async function rowsOf<K extends StreamKind>(
  { engine }: Pick<WaitingSource, 'engine'>,
  query: Omit<ListQuery<K>, 'afterId' | 'limit'>,
): Promise<readonly ListedStream<K>[]> {
  const rows: ListedStream<K>[] = [];
  for await (const row of listedRows(engine, query)) {
    rows.push(row);
    if (rows.length >= MAX_LOOKED_AT) break;
  }
  return rows;
}

export const newestFirst = <T extends { readonly item: HookItem }>(found: readonly T[]): readonly T[] =>
  found.toSorted((one, other) => other.item.at - one.item.at);

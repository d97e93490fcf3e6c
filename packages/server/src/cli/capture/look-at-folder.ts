/**
 * A data folder that nobody serves, opened read-only: enough to say what waits. Nothing is written and no lock is taken.
 * What has fallen due meanwhile is not in the log; whoever asks compares times with the clock.
 */
import { StreamKind, type StreamRef, sessionDecider, worklogDecider } from '@handover/core';
import { nodeCodec } from '../../platform/node-codec.js';
import type { WaitingSource } from '../../services/handoffs/what-waits.js';
import { openSqliteReadOnly, type SqliteReadOnly } from '../../store/sqlite/index.js';

const PAGE = 500;

export async function withFolder<T>(folder: string, use: (look: WaitingSource) => Promise<T>): Promise<T> {
  const view = await openSqliteReadOnly(folder);
  try {
    const query = async (ref: StreamRef) => {
      const state = await stateOf(view, ref);
      return state === undefined ? undefined : { state };
    };
    const engine = { list: view.list, query } as unknown as WaitingSource['engine'];
    return await use({ engine, store: view, codec: nodeCodec, now: Date.now });
  } finally {
    await view.close();
  }
}

function stateOf(view: SqliteReadOnly, ref: StreamRef): Promise<unknown> {
  return ref.kind === StreamKind.Worklog
    ? folded(view, ref, worklogDecider.evolve)
    : folded(view, ref, sessionDecider.evolve);
}

async function folded<S>(
  view: SqliteReadOnly,
  ref: StreamRef,
  evolve: (state: S | undefined, entry: Awaited<ReturnType<SqliteReadOnly['load']>>[number]) => S,
): Promise<S | undefined> {
  let state: S | undefined;
  for (let after = 0; ; ) {
    const page = await view.load(ref, after, PAGE);
    for (const entry of page) state = evolve(state, entry);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return state;
    after = last.seq;
  }
}

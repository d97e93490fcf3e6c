/**
 * A data folder that nobody serves, opened read-only: enough to say what waits. Nothing is written and no lock is taken.
 * What has fallen due meanwhile is not in the log; whoever asks compares times with the clock. Settings are those of the
 * server that served it last, where this process has none of its own.
 */
import { StreamKind, type StreamRef, sessionDecider, worklogDecider } from '@handover/core';
import { installedAgents } from '../../config/installed-agents.js';
import { keptTaking } from '../../config/kept-taking.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { SessionBoard } from '../../services/handoffs/board/session-board.js';
import type { InboxSource } from '../../services/handoffs/waiting/inboxes.js';
import { openSqliteReadOnly, type SqliteReadOnly } from '../../store/sqlite/index.js';

const PAGE = 500;
/** While somebody holds the file for itself, this process stands still. */
const LOCKED_MS = 200;

export class TooSlow extends Error {}

/** Throws `TooSlow` when it is not done by `endAt` of `performance.now()`. */
export async function withFolder<T>(
  folder: string,
  endAt: number,
  use: (look: InboxSource) => Promise<T>,
): Promise<T> {
  const view = await openSqliteReadOnly(folder, LOCKED_MS);
  const states = new Map<string, Promise<unknown>>();
  try {
    const query = async (ref: StreamRef) => {
      if (performance.now() > endAt) throw new TooSlow();
      const key = JSON.stringify([ref.tenant, ref.kind, ref.id]);
      const known = states.get(key) ?? stateOf(view, ref);
      states.set(key, known);
      const state = await known;
      return state === undefined ? undefined : { state };
    };
    const engine = { list: view.list, query } as unknown as InboxSource['engine'];
    const taking = keptTaking(folder, process.env);
    const board = new SessionBoard({ engine, store: view });
    const installed = () => installedAgents(folder);
    return await use({ engine, board, store: view, taking, codec: nodeCodec, now: Date.now, installed });
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

/** What must hold of the log when all is over, and of every answer that was given on the way. */
import {
  canonicalJson,
  type Entry,
  type EntryHead,
  headOf,
  policiesDecider,
  type SessionState,
  sessionDecider,
  streamKey,
  verifyStream,
} from '@handover/core';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { policiesRef } from '../../packages/server/src/services/stream-refs.js';
import { TENANT } from './clients.js';
import type { Ledger, Refused } from './ledger.js';
import type { World } from './world.js';

/** Ten seconds until any node wakes it, five between two looks, and the way there. */
const LATEST_MS = 17_000;
const EVERYTHING = { entries: 1_000_000, bytes: 1e12 };

export async function check(world: World, ledger: Ledger): Promise<void> {
  const { store } = world.database;
  const sessions = await store.list({ tenant: TENANT, kind: 'session', limit: 1_000_000 });
  const inLog = new Set<string>();
  const histories = new Map<string, readonly Entry[]>();
  for (const { ref, row } of sessions) {
    const entries = await store.read(ref, 0, EVERYTHING);
    histories.set(ref.id, entries);
    for (const { messageId } of entries) inLog.add(messageId);
    const verdict = verifyStream(ref, entries, nodeCodec);
    if (!verdict.ok) ledger.violated(`I4 ${canonicalJson({ id: ref.id })} does not verify`);
    const state = fold(entries).at(-1);
    const listed = state && sessionDecider.listing(state);
    if (listed && listed.state !== row.state) ledger.violated(`I5 listed ${row.state}, is ${listed.state}`);
    if (new Set(entries.map(({ type }) => type).filter((type) => type === 'Commitment')).size > 1)
      ledger.violated('I6 two commitments');
  }
  for (const [id, ref] of ledger.accepted)
    if (!inLog.has(id)) ledger.violated(`I1 accepted in ${streamKey(ref)}, and not in the log`);
  for (const id of ledger.refusedIds)
    if (inLog.has(id) && !ledger.accepted.has(id)) ledger.violated('I2 refused, and in the log');
  const late = await store.due({ upTo: world.database.now() - 30_000, limit: 10 });
  for (const { ref } of late) ledger.violated(`a timer of ${streamKey(ref)} never went off`);
  const policies = await store.load(policiesRef(TENANT, false), 0, 1_000);
  const registry = policies.reduce<ReturnType<typeof policiesDecider.evolve> | undefined>(
    (state, entry) => policiesDecider.evolve(state, entry),
    undefined,
  );
  for (const refused of ledger.refused) {
    const [{ stream }] = refused.submission.steps;
    if (!isJustified(refused, histories.get(stream.id) ?? [], registry))
      ledger.violated(
        `I9 ${refused.code} is justified by no state between ${refused.from} and ${refused.to}`,
      );
  }
}

/** What is due is woken by some node, whoever wrote it, also while one that is gone still counts as alive. */
export async function checkTimers(world: World, ledger: Ledger): Promise<void> {
  const late = await world.database.store.due({ upTo: world.database.now() - LATEST_MS, limit: 10 });
  for (const { ref } of late) ledger.violated(`a timer of ${streamKey(ref)} is late`);
}

function fold(entries: readonly EntryHead[]): readonly SessionState[] {
  let state: SessionState | undefined;
  return entries.map((entry) => {
    state = sessionDecider.evolve(state, entry);
    return state;
  });
}

/** Whether the rules refuse this so in some state that the stream had between question and answer. */
function isJustified(
  { submission, code, from, to, askedAt, answeredAt }: Refused,
  entries: readonly Entry[],
  policies: Parameters<typeof policiesDecider.evolve>[0],
): boolean {
  const [{ command, messageId }] = submission.steps;
  const states = fold(entries);
  const seen = entries.find((entry) => entry.messageId === messageId);
  for (let seq = from; seq <= Math.max(to, from); seq++) {
    const before = entries[seq - 1];
    for (const time of [askedAt, answeredAt]) {
      const at = Math.max(time, before ? headOf(before).at : 0);
      const stamp = {
        at,
        seq: seq + 1,
        agent: submission.agent,
        ...(messageId !== undefined && { messageId }),
        ...(seen && seen.seq <= seq && { seen }),
      };
      const context = { codec: nodeCodec, consulted: policies ? { policies } : {} };
      const decision = sessionDecider.decide(states[seq - 1], command, stamp, context);
      if (decision.kind === 'rejected' && decision.rejection.code === code) return true;
    }
  }
  return false;
}

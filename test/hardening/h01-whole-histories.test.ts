/**
 * What reads a whole history (what-if replay, a receipt that is new) does so in slices: other requests are answered
 * meanwhile, and however many ask, one is at work at a time.
 */
import {
  canonicalJson,
  type Entry,
  type Envelope,
  GENESIS,
  HANDOFF_MODE,
  headOf,
  MAX_ENTRIES_PER_STREAM,
  StreamKind,
  seal,
  sessionDecider,
} from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { append, storeAll } from '@handover/engine/store-contract';
import { describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { HistoryWork } from '../../packages/server/src/services/history-work.js';
import { threadCpuMs } from '../bench/cpu-time.js';
import { verifies } from '../conformance/verifies.js';
import { accept, commit, context, offer, start } from '../kit/envelopes.js';
import { createWorld } from '../kit/world.js';

const ID = 'session-of-fifty-thousand';
const ref = { tenant: 'default', kind: StreamKind.Session, id: ID } as const;
const HELD_MS = 50;
const SALT = new Uint8Array(16);

/** As the engine would write it, without the waiting. */
async function longSession(store: Store, now: number): Promise<void> {
  let state: Parameters<typeof sessionDecider.decide>[0];
  let head = GENESIS;
  const entries: Entry[] = [];
  const say = (envelope: Envelope) => {
    const stamp = { at: now, seq: head.seq + 1, agent: envelope.sender };
    const decision = sessionDecider.decide(state, { kind: 'envelope', envelope }, stamp, {
      codec,
      consulted: {},
    });
    if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
    for (const draft of decision.drafts) {
      const entry = seal(codec, ref, head, draft, now, SALT);
      state = sessionDecider.evolve(state, entry);
      head = headOf(entry);
      entries.push(entry);
    }
  };
  say(start(ID));
  say(offer(ID, 'h1', 'a'));
  // Room is kept at the end of a stream for what ends it.
  while (head.seq < MAX_ENTRIES_PER_STREAM - 101) say(context(ID, 'h1', 'x'.repeat(64)));
  say(accept(ID, 'h1', 'a'));
  say(commit(ID));
  if (!state) throw new Error('nothing was said');
  const { state: word, createdAt, summary } = sessionDecider.listing(state);
  const row = { state: word, due: null, createdAt, summary: canonicalJson(summary) };
  await storeAll(store, append(ref, entries, { row }));
}

/** The longest time for which this thread worked without a turn of its loop. */
function watchLoop() {
  let longest = 0;
  let last = threadCpuMs();
  let on = true;
  const look = () => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (on) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    on = false;
    // Whoever never gave the loop a turn is still in the first one.
    look();
    return longest;
  };
}

describe('hardening:H1 whole histories', { timeout: 240_000 }, () => {
  it(`${verifies('macp-2026:15:slices')}50,000 entries are replayed and signed for without holding the loop`, async () => {
    const store = createMemoryStore();
    const world = createWorld({ store });
    await longSession(store, world.clock.now);
    const owner = world.principal('owner');
    await world.services.sessions.get(owner, ID);
    const candidate = { policyId: '', mode: HANDOFF_MODE, description: '', schemaVersion: 1, rules: {} };
    let outcomes = 0;
    const stop = watchLoop();
    const answer = await world.services.whatIf.replay(owner, ID, candidate, (entries) => {
      outcomes += entries.length;
    });
    const replay = stop();
    expect('value' in answer && answer.value.firstDivergence).toBe(undefined);
    expect(outcomes).toBe(MAX_ENTRIES_PER_STREAM - 99);
    const again = watchLoop();
    const receipt = await world.services.receipts.get(owner, ID);
    const signing = again();
    expect('value' in receipt && JSON.parse(receipt.value).transcript.message_count).toBe(outcomes);
    expect(Math.max(replay, signing), `${replay} ms, ${signing} ms`).toBeLessThan(HELD_MS);
  });

  it('are read one at a time, callers in turns, and no more wait than may', async () => {
    const work = new HistoryWork();
    const order: string[] = [];
    let atWork = 0;
    let most = 0;
    const run = (caller: string, name: string) =>
      work.run(caller, async () => {
        most = Math.max(most, ++atWork);
        await new Promise((resolve) => setTimeout(resolve, 1));
        atWork--;
        order.push(name);
      });
    const asked = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('a', 'a4')];
    await Promise.all(asked);
    expect([most, order]).toEqual([1, ['a1', 'a2', 'b1', 'a3', 'a4']]);
    const own = fixedLimits.historiesWaitingOfCaller.value;
    const many = Array.from({ length: own + 2 }, (_, i) => run('a', `${i}`).catch((fault) => fault.code));
    expect((await Promise.all(many)).filter((code) => code === 'OVERLOADED')).toHaveLength(1);
    const callers = Array.from({ length: fixedLimits.historiesWaiting.value + 3 }, (_, i) =>
      run(`c${i}`, `${i}`).catch((fault) => fault.code),
    );
    expect((await Promise.all(callers)).filter((code) => code === 'OVERLOADED')).toHaveLength(2);
    await expect(work.run('a', () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
    await run('a', 'after');
    expect(order.at(-1)).toBe('after');
  });
});

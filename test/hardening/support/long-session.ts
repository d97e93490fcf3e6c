/** A session of as many entries as there may be. */
import {
  canonicalJson,
  type Entry,
  type Envelope,
  GENESIS,
  headOf,
  MAX_ENTRIES_PER_STREAM,
  StreamKind,
  seal,
  sessionDecider,
} from '@handover/core';
import type { Store } from '@handover/engine';
import { append, storeAll } from '@handover/engine/store-contract';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { accept, commit, context, offer, start } from '../../kit/envelopes.js';

export const LONG_SESSION = 'session-of-fifty-thousand';
/** Of its entries, those with an envelope. */
export const LONG_SESSION_ENVELOPES = MAX_ENTRIES_PER_STREAM - 99;
const ID = LONG_SESSION;
const ref = { tenant: 'default', kind: StreamKind.Session, id: ID } as const;
const SALT = new Uint8Array(16);

/** As the engine would write it, without the waiting. */
export async function longSession(store: Store, now: number): Promise<void> {
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

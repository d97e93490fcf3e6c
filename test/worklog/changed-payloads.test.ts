/** A store that gives other bytes than were accepted: nobody is shown them as an entry. */
import { RequestType } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { expect, it } from 'vitest';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { createWorld } from './world.js';

it('a payload that does not match its hash is a fault, in entries, briefs and attachments', async () => {
  const real = createMemoryStore();
  let changed = false;
  const store: Store = {
    ...real,
    read: async (...asked) => {
      const entries = await real.read(...asked);
      return changed
        ? entries.map((entry) => ({
            ...entry,
            payload: entry.payload.map((byte, i) => (i === 60 ? byte ^ 1 : byte)),
          }))
        : entries;
    },
  };
  const { handoffs } = createWorld(store);
  const sessionKey = 'k';
  const text = 'said '.repeat(40);
  await ok(handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }));
  await ok(handoffs.updateContext(alice, { sessionKey, contextType: 'message', content: text }));
  const offer = { sessionKey, targetAgent: 'bob', requestType: RequestType.FullHandoff };
  const { handoffId } = await ok(handoffs.requestHandoff(alice, offer));
  await ok(handoffs.sendHandoffContext(alice, { handoffId, contentType: 'text/plain', content: text }));
  const reads = [
    () => handoffs.readContext(alice, { sessionKey, afterSequence: 0 }),
    () => handoffs.summarize(alice, sessionKey),
    () => handoffs.getPackage(bob, { handoffId }),
    () => handoffs.readAttachment(bob, { handoffId, attachment: 1 }),
  ];
  for (const read of reads) await ok(read() as Promise<never>);
  changed = true;
  for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'DATA_LOSS' });
});

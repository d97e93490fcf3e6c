/** The story of examples/handoff-mode-session.json: a decline, a second offer, an accept, a Commitment. */
import type { Envelope } from '@handover/core';
import { accept, commit, context, decline, offer, start } from '../../kit/envelopes.js';

const SESSION = '6f1c1c1e-6f0a-4b57-9a3e-2f6c5b0f7d11';
const STEP_MS = 1_000;

/** Nothing in it is random: it is the same transcript every time. */
export function exampleStory(begin: number): readonly Envelope[] {
  const on = {
    participants: ['alice', 'bob', 'carol'],
    intent: 'hand over the on-call shift',
    contextId: 'rota-34',
  };
  const messages = [
    start(SESSION, 'alice', on),
    offer(SESSION, 'shift-1', 'bob', 'alice'),
    context(SESSION, 'shift-1', 'Two alerts are open; see the runbook.', 'alice'),
    decline(SESSION, 'shift-1', 'bob'),
    offer(SESSION, 'shift-2', 'carol', 'alice'),
    context(SESSION, 'shift-2', 'Two alerts are open; see the runbook.', 'alice'),
    accept(SESSION, 'shift-2', 'carol'),
    commit(SESSION, 'alice', { authorityScope: 'on-call', reason: 'carol accepted on-call' }),
  ];
  return messages.map((message, index) => ({
    ...message,
    messageId: `message-${index + 1}`,
    timestampUnixMs: begin + index * STEP_MS,
  }));
}

/** The first target declines, the second accepts; whoever declined is not asked again. */
import assert from 'node:assert/strict';
import { Auth, HandoffSession, INVALID_ENVELOPE, MacpAckError, MacpClient } from 'macp-sdk-typescript';

const address = process.env.HANDOVER_ADDRESS ?? '127.0.0.1:50051';
const client = new MacpClient({ address, auth: Auth.devAgent('owner-a') });

const session = new HandoffSession(client);
const scope = 'service-xyz-oncall';
await session.start({ intent: 'transfer on-call', participants: ['owner-b', 'owner-c'], ttlMs: 60_000 });

await session.offer({ handoffId: 'h1', targetParticipant: 'owner-b', scope, reason: 'scheduled rotation' });
await session.decline({ handoffId: 'h1', reason: 'on vacation', sender: 'owner-b' });
assert.ok(session.projection.isDeclined('h1'));

// A second offer to the same target is refused, with a code and a sentence.
await assert.rejects(
  session.offer({ handoffId: 'h2', targetParticipant: 'owner-b', scope }),
  (error) => error instanceof MacpAckError && error.code === INVALID_ENVELOPE,
);

await session.offer({ handoffId: 'h2', targetParticipant: 'owner-c', scope, reason: 'owner-b unavailable' });
assert.equal(session.projection.activeOffer()?.targetParticipant, 'owner-c');
await session.acceptHandoff({ handoffId: 'h2', sender: 'owner-c' });

await session.commit({
  action: 'handoff.accepted',
  authorityScope: 'service-ownership',
  reason: 'owner-c accepted after owner-b declined',
});
assert.ok(session.projection.isPositiveOutcome);
assert.equal(session.projection.acceptedOffer()?.targetParticipant, 'owner-c');

console.log(`session ${session.sessionId}: ${session.projection.commitment?.reason}`);
client.close();

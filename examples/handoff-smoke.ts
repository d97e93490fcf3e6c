/** A whole handoff in one program: Alice hands the frontend to Bob, with what he needs to know. */
import assert from 'node:assert/strict';
import { Auth, HandoffSession, MacpClient } from 'macp-sdk-typescript';

const address = process.env.HANDOVER_ADDRESS ?? '127.0.0.1:50051';
const client = new MacpClient({ address, auth: Auth.devAgent('alice') });

const session = new HandoffSession(client);
await session.start({ intent: 'hand over the frontend', participants: ['bob'], ttlMs: 60_000 });
await session.offer({
  handoffId: 'h1',
  targetParticipant: 'bob',
  scope: 'frontend-ownership',
  reason: 'moving to backend team',
});
await session.sendContext({
  handoffId: 'h1',
  contentType: 'application/json',
  context: Buffer.from(JSON.stringify({ repository: 'acme/web-app', openIssues: 12 })),
});
assert.equal(session.projection.getHandoff('h1')?.status, 'context_sent');

// Bob speaks for himself: in dev mode his credential is his name.
await session.acceptHandoff({ handoffId: 'h1', sender: 'bob', auth: Auth.devAgent('bob') });
assert.ok(session.projection.isAccepted('h1'));

await session.commit();
assert.equal(session.projection.phase, 'Committed');
assert.equal(session.projection.commitment?.reason, 'bob accepted frontend-ownership');
assert.equal((await session.metadata()).state, 'RESOLVED');

console.log(`session ${session.sessionId}: ${session.projection.commitment?.reason}`);
client.close();

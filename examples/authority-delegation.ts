/**
 * Delegation of a licence to sign: the holder offers it, but only the compliance officer may bind the outcome. The policy
 * says so, and the runtime enforces it. A later session takes the authority back and names the Commitment it replaces.
 */
import assert from 'node:assert/strict';
import {
  Auth,
  buildHandoffPolicy,
  commitmentHash,
  FORBIDDEN,
  HandoffSession,
  MacpAckError,
  MacpClient,
} from 'macp-sdk-typescript';

const address = process.env.HANDOVER_ADDRESS ?? '127.0.0.1:50051';
const client = new MacpClient({ address, auth: Auth.devAgent('licence-holder') });

const policyId = `policy.example.delegation-${Date.now()}`;
const policy = buildHandoffPolicy(policyId, 'only compliance binds a delegation', {
  commitment: { authority: 'designated_role', designatedRoles: ['compliance'] },
});
assert.deepEqual(await client.registerPolicy(policy), { ok: true, error: '' });

async function delegate(from: string, to: string, licence: object): Promise<HandoffSession> {
  const session = new HandoffSession(client, { policyVersion: policyId, auth: Auth.devAgent(from) });
  await session.start({
    intent: `licence to sign from ${from} to ${to}`,
    participants: [from, to],
    ttlMs: 60_000,
    // Frozen: the outcome is bound to exactly this licence.
    context: Buffer.from(JSON.stringify(licence)),
  });
  await session.offer({ handoffId: 'licence', targetParticipant: to, scope: 'sign-contracts-up-to-10k' });
  await session.acceptHandoff({ handoffId: 'licence', sender: to });
  return session;
}

const grant = await delegate('licence-holder', 'deputy', { number: 'L-7', limitEur: 10_000 });
await assert.rejects(grant.commit(), (error) => error instanceof MacpAckError && error.code === FORBIDDEN);
await grant.commit({ sender: 'compliance', reason: 'deputy may sign up to 10k' });
const granted = grant.projection.commitment;
assert.ok(granted?.outcomePositive);
assert.equal(
  Buffer.from(grant.projection.frozenContext ?? []).toString(),
  '{"number":"L-7","limitEur":10000}',
);

const back = await delegate('deputy', 'licence-holder', { number: 'L-7', limitEur: 10_000 });
const supersedes = { sessionId: grant.sessionId, commitmentHash: commitmentHash(granted) };
await back.commit({ sender: 'compliance', reason: 'the holder is back', supersedes });
assert.deepEqual(back.projection.commitment?.supersedes, supersedes);

await client.unregisterPolicy(policyId);
console.log(`delegated in ${grant.sessionId}, taken back in ${back.sessionId}`);
client.close();

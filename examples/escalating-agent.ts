/**
 * An agent that escalates: tier 1 is busy, tier 2 stays silent, tier 3 accepts. Silence ends by the session's policy,
 * which declines in the target's name; the agent then asks the next.
 */
import assert from 'node:assert/strict';
import {
  Auth,
  acceptWhen,
  buildHandoffPolicy,
  declineWhenBusy,
  escalate,
  MacpClient,
  newSessionId,
  Participant,
} from 'macp-sdk-typescript';

const address = process.env.HANDOVER_ADDRESS ?? '127.0.0.1:50051';
const client = new MacpClient({ address, auth: Auth.devAgent('triage') });
const targets = ['tier-1', 'tier-2', 'tier-3'];

const policy = buildHandoffPolicy(`policy.example.escalation-${Date.now()}`, 'a silent target has declined', {
  acceptance: { implicitDeclineTimeoutMs: 500 },
});
assert.deepEqual(await client.registerPolicy(policy), { ok: true, error: '' });

const common = { sessionId: newSessionId(), client, policyVersion: policy.policyId };

const triage = new Participant({
  ...common,
  participantId: 'triage',
  initiator: { sessionStart: { intent: 'find somebody for INC-42', participants: targets, ttlMs: 60_000 } },
}).use(
  escalate({
    targets,
    policy,
    scope: 'INC-42',
    context: () => ({ contentType: 'text/plain', context: Buffer.from('checkout is down') }),
  }),
);
const asked: string[] = [];
triage.on('HandoffOffer', ({ payload }) => void asked.push(payload.targetParticipant));

// tier-2 is a participant who never answers: nobody runs it.
const tier1 = new Participant({ ...common, participantId: 'tier-1' }).use(declineWhenBusy(() => true));
const tier3 = new Participant({ ...common, participantId: 'tier-3' }).use(
  acceptWhen(({ contexts }) => contexts.some(({ contentType }) => contentType === 'text/plain'), {
    afterContext: true,
    reason: 'on it',
  }),
);

const [result] = await Promise.all([triage.run(), tier1.run(), tier3.run()]);

assert.equal(result?.state, 'RESOLVED');
assert.deepEqual(asked, targets);
assert.equal(triage.projection.getHandoff('escalation-1')?.answerReason, 'busy');
assert.equal(triage.projection.getHandoff('escalation-2')?.implicit, true);
assert.equal(result.commitment?.reason, 'tier-3 accepted INC-42');

await client.unregisterPolicy(policy.policyId);
console.log(`session ${common.sessionId}: ${result.commitment.reason}`);
client.close();

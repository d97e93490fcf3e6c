/** Sessions of the modes beside Handoff, against a real server: every method, what it refuses by itself, its policies. */
import {
  Auth,
  buildDecisionPolicy,
  buildProposalPolicy,
  buildQuorumPolicy,
  buildTaskPolicy,
  DecisionSession,
  effectiveQuorumThreshold,
  MacpClient,
  MacpSessionError,
  type ModeSession,
  MultiRoundSession,
  newSessionId,
  type PolicyDescriptor,
  ProposalSession,
  parseMessage,
  QuorumSession,
  type SessionProjection,
  TaskSession,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { useServer } from './support/server.js';
import { told } from './support/told.js';

const START = { intent: 'x', participants: ['alice', 'bob', 'carol'], ttlMs: 60_000 };
const OUTCOME = { authorityScope: 's', reason: 'r' };
const MODES = [DecisionSession, ProposalSession, TaskSession, QuorumSession, MultiRoundSession];

describe('macp-2026:19 sessions of every mode', () => {
  const server = useServer();
  const fresh = <S>(Session: new (client: MacpClient, options?: object) => S, options = {}) =>
    new Session(server.as('alice'), options);
  /** What the server has equals what the one who spoke knows. */
  async function agrees<P extends SessionProjection>(session: ModeSession<P>) {
    const own = told(session.projection);
    expect(told(await session.sync())).toEqual(own);
    return own;
  }

  it(`${verifies('macp-2026:19:helpers', 'macp-2026:19:words')}Decision: propose, evaluate, object, vote, commit`, async () => {
    const session = fresh(DecisionSession);
    await session.start(START);
    await session.propose({ proposalId: 'p', option: 'go', supportingData: Buffer.from('x') });
    await session.evaluate({ proposalId: 'p', recommendation: 'block', confidence: 1, sender: 'bob' });
    await session.raiseObjection({ proposalId: 'p', reason: 'hm', sender: 'carol' });
    await session.vote({ proposalId: 'p', vote: 'Approve', auth: Auth.devAgent('bob') });
    await session.commit({ action: 'decision.approved', ...OUTCOME });
    expect(await agrees(session)).toMatchObject({ phase: 'Committed', is_positive_outcome: true });
    const objection = session.projection.transcript.find(({ messageType }) => messageType === 'Objection');
    // The default is sent, since the server takes no empty severity.
    expect(
      parseMessage('Objection', objection?.payload ?? new Uint8Array(), session.projection.mode),
    ).toEqual({
      proposalId: 'p',
      reason: 'hm',
      severity: 'medium',
    });
    expect(session.projection.evaluations[0]?.recommendation).toBe('BLOCK');
    await expect(session.vote({ proposalId: 'p', vote: 'reject', sender: 'carol' })).rejects.toMatchObject({
      code: 'SESSION_NOT_OPEN',
    });
  });

  it(`${verifies('macp-2026:19:defaults')}says nothing of versions and policy, and is bound to what all SDKs say`, async () => {
    const session = fresh(DecisionSession);
    await session.start(START);
    expect(await session.metadata()).toMatchObject({
      modeVersion: '1.0.0',
      configurationVersion: 'config.default',
      policyVersion: 'policy.default',
    });
  });

  it('Decision: a second vote is refused and not applied', async () => {
    const session = fresh(DecisionSession);
    await session.start(START);
    await session.propose({ proposalId: 'p', option: 'go' });
    await session.vote({ proposalId: 'p', vote: 'approve' });
    await expect(session.vote({ proposalId: 'p', vote: 'reject' })).rejects.toMatchObject({
      code: 'INVALID_ENVELOPE',
    });
    expect(session.projection.anomalies).toEqual([]);
    expect(session.projection.voteTotals()).toEqual(Object.assign(Object.create(null), { p: 1 }));
  });

  it(`${verifies('macp-2026:19:helpers')}Proposal: propose, counter, accept, reject, withdraw, commit`, async () => {
    const session = fresh(ProposalSession);
    await session.start({ ...START, participants: ['alice', 'bob'] });
    await session.propose({ proposalId: 'p1', title: 't', tags: ['a'] });
    await session.counterPropose({ proposalId: 'p2', supersedesProposalId: 'p1', sender: 'bob' });
    await session.reject({ proposalId: 'p2' });
    await expect(session.withdraw({ proposalId: 'p1', sender: 'bob' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await session.withdraw({ proposalId: 'p1' });
    for (const sender of ['alice', 'bob']) await session.accept({ proposalId: 'p2', sender });
    expect(session.projection.isConverged()).toBe(true);
    await session.commit({ action: 'proposal.accepted', ...OUTCOME });
    expect(await agrees(session)).toMatchObject({ phase: 'Committed', active_proposals: ['p2'] });
  });

  it(`${verifies('macp-2026:19:helpers')}Task: request, accept, update, complete, commit; the assignee is the sender`, async () => {
    const session = fresh(TaskSession);
    await session.start(START);
    await session.requestTask({ taskId: 't', title: 'do it', requestedAssignee: 'bob' });
    expect(['alice', 'bob', 'carol'].filter((name) => session.projection.canAccept(name))).toEqual(['bob']);
    await session.acceptTask({ taskId: 't', sender: 'bob' });
    await session.updateTask({ taskId: 't', progress: 0.5, sender: 'bob' });
    await session.completeTask({ taskId: 't', output: Buffer.from('done'), sender: 'bob' });
    expect(session.projection.completions[0]).toMatchObject({ assignee: 'bob', sender: 'bob' });
    await session.commit({ action: 'task.completed', ...OUTCOME });
    expect(await agrees(session)).toMatchObject({ phase: 'Committed' });
  });

  it(`${verifies('macp-2026:19:helpers')}Task: reject, and a negative end; fail`, async () => {
    const declined = fresh(TaskSession);
    await declined.start(START);
    await declined.requestTask({ taskId: 't', title: 'do it', requestedAssignee: 'bob' });
    expect(declined.projection.negativeCommitEligible).toBe(false);
    await declined.rejectTask({ taskId: 't', sender: 'bob' });
    expect(declined.projection.negativeCommitEligible).toBe(true);
    await declined.commit({ action: 'task.declined', ...OUTCOME });
    expect(await agrees(declined)).toMatchObject({ is_positive_outcome: false });
    const failed = fresh(TaskSession);
    await failed.start(START);
    await failed.requestTask({ taskId: 't', title: 'do it' });
    await failed.acceptTask({ taskId: 't', sender: 'carol' });
    await failed.failTask({ taskId: 't', errorCode: 'E', retryable: true, sender: 'carol' });
    expect(await agrees(failed)).toMatchObject({ phase: 'Failed', is_retryable: { t: true } });
  });

  it(`${verifies('macp-2026:19:helpers')}Quorum: request, approve, reject, abstain, commit`, async () => {
    const session = fresh(QuorumSession);
    await session.start(START);
    await session.requestApproval({ requestId: 'r', action: 'open', requiredApprovals: 1 });
    await session.approve({ requestId: 'r', sender: 'bob' });
    await session.reject({ requestId: 'r', sender: 'carol' });
    await session.abstain({ requestId: 'r' });
    expect(session.projection.hasQuorum('r')).toBe(true);
    await session.commit({ action: 'quorum.approved', ...OUTCOME });
    expect(await agrees(session)).toMatchObject({ voted_senders: { r: ['bob', 'carol', 'alice'] } });
  });

  it('Multi-round: contribute until all agree, commit', async () => {
    const session = fresh(MultiRoundSession);
    await session.start({ ...START, participants: ['alice', 'bob'] });
    await session.contribute({ value: '1' });
    await session.contribute({ value: '2', sender: 'bob' });
    await session.contribute({ value: '2' });
    expect(session.projection).toMatchObject({ phase: 'Converged', round: 3, convergedValue: '2' });
    await session.commit({ action: 'value', outcomePositive: true, ...OUTCOME });
    expect(await agrees(session)).toMatchObject({ phase: 'Committed' });
  });

  it.each(MODES)(
    `${verifies('macp-2026:19:helpers')}$name: metadata, suspend, resume, cancel, streams, joining`,
    async (Session) => {
      const session = fresh<InstanceType<typeof Session>>(Session, { configurationVersion: 'config.2' });
      await session.start({ ...START, context: Buffer.from('frozen') });
      expect(await session.metadata()).toMatchObject({
        mode: session.projection.mode,
        initiator: 'alice',
        participants: START.participants,
        configurationVersion: 'config.2',
      });
      const stream = session.openStream();
      stream.sendSubscribe(session.sessionId);
      expect((await stream.read())?.messageType).toBe('SessionStart');
      stream.cancel();
      expect((await session.suspend('lunch')).sessionState).toBe('SUSPENDED');
      expect((await session.resume()).sessionState).toBe('OPEN');
      const { sessionId } = session;
      const joined = new Session(server.as('bob'), { sessionId });
      expect(Buffer.from((await joined.sync()).frozenContext ?? []).toString()).toBe('frozen');
      expect((await session.cancel('over')).sessionState).toBe('CANCELLED');
      for await (const { envelope } of joined.follow()) if (envelope.messageType === 'SessionCancel') break;
      expect(joined.projection.sessionState).toBe('CANCELLED');
    },
  );

  it('a joined session commits the versions that it is bound to', async () => {
    const policy = buildQuorumPolicy(`policy.join.${newSessionId()}`, '', { threshold: { value: 1 } });
    await server.as('alice').registerPolicy(policy);
    const { policyId: policyVersion } = policy;
    const session = fresh(QuorumSession, { policyVersion, configurationVersion: 'config.3' });
    await session.start(START);
    await session.requestApproval({ requestId: 'r', action: 'open', requiredApprovals: 1 });
    await session.approve({ requestId: 'r', sender: 'bob' });
    const joined = fresh(QuorumSession, { sessionId: session.sessionId });
    await joined.sync();
    await joined.commit({ action: 'quorum.approved', ...OUTCOME });
    expect(joined.projection.commitment).toMatchObject({ policyVersion, configurationVersion: 'config.3' });
  });

  it(`${verifies('macp-2026:19:errors', 'macp-2026:19:defaults')}the policy builders make what the server takes, and the server judges by it`, async () => {
    const id = newSessionId();
    const policies: PolicyDescriptor[] = [
      buildDecisionPolicy(`policy.d.${id}`, 'votes count', {
        voting: { algorithm: 'weighted', weights: { bob: 2 }, threshold: 0.75, quorum: { value: 1 } },
        objectionHandling: {
          criticalSeverityVetoes: true,
          vetoThreshold: 2,
          criticalObjectionAction: 'hold',
        },
        evaluation: { requiredBeforeVoting: true, minimumConfidence: 0.5 },
        commitment: { requireVoteQuorum: true, allowDeclineOverApproval: true, authority: 'any_participant' },
      }),
      buildProposalPolicy(`policy.p.${id}`, 'one round', {
        acceptance: { criterion: 'counterparty' },
        counterProposal: { maxRounds: 1 },
        rejection: { terminalOnAnyReject: true },
      }),
      buildTaskPolicy(`policy.t.${id}`, 'with output', {
        assignment: { allowReassignmentOnReject: true },
        completion: { requireOutput: true },
        commitment: { authority: 'designated_role', designatedRoles: ['carol'] },
      }),
      buildQuorumPolicy(`policy.q.${id}`, 'two thirds', {
        threshold: { type: 'percentage', value: 67 },
        abstention: { countsTowardQuorum: true, interpretation: 'implicit_reject' },
      }),
    ];
    for (const policy of policies) {
      expect(await server.as('alice').registerPolicy(policy)).toEqual({ ok: true, error: '' });
      const known = await server.as('alice').getPolicy(policy.policyId);
      expect([known.mode, known.schemaVersion, JSON.parse(known.rules)]).toEqual([
        policy.mode,
        policy.schemaVersion,
        JSON.parse(policy.rules),
      ]);
    }
    expect(policies.map(({ schemaVersion }) => schemaVersion)).toEqual([3, 1, 1, 1]);
    const session = fresh(DecisionSession, { policyVersion: policies[0]?.policyId });
    await session.start(START);
    await session.propose({ proposalId: 'p', option: 'go' });
    const denied = session.commit({ action: 'decision.approved', ...OUTCOME });
    await expect(denied).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    await expect(denied).rejects.toSatisfy(({ reasons }: { reasons: string[] }) => reasons.length >= 3);
  });

  it('builds no policy that contradicts itself', () => {
    expect(() => buildDecisionPolicy('p', '', { voting: { algorithm: 'supermajority' } })).toThrow(
      /above 0.5/,
    );
    expect(() => buildDecisionPolicy('p', '', { voting: { weights: {} } })).toThrow(/weights/);
    // Half of the participants, or half a percent of them.
    const half = { voting: { quorum: { type: 'percentage' as const, value: 0.5 } } };
    expect(() => buildDecisionPolicy('p', '', half)).toThrow(/50 means 50 percent/);
    const hold = { objectionHandling: { criticalObjectionAction: 'hold' as const } };
    expect(buildDecisionPolicy('p', '', hold, { schemaVersion: 1 }).schemaVersion).toBe(1);
    expect(() => buildProposalPolicy('p', '', { counterProposal: { maxRounds: -1 } })).toThrow(
      MacpSessionError,
    );
    const nobody = { commitment: { authority: 'designated_role' as const } };
    expect(() => buildTaskPolicy('p', '', nobody)).toThrow(/designated_roles/);
    const fraction = { threshold: { type: 'percentage' as const, value: 0.75 } };
    expect(() => buildQuorumPolicy('p', '', fraction)).toThrow(/threshold.value/);
    expect(() => buildQuorumPolicy(' ', '')).toThrow(expect.objectContaining({ argument: 'policyId' }));
  });

  it(`${verifies('macp-2026:19:threshold')}says how many approvals a policy makes of a request`, () => {
    const of = (rules: object) => ({ rules: JSON.stringify(rules) });
    const three = ['a', 'b', 'c'];
    expect(effectiveQuorumThreshold(undefined, three, 2)).toBe(2);
    expect(effectiveQuorumThreshold(of({}), three, 2)).toBe(2);
    expect(effectiveQuorumThreshold(of({ threshold: { value: 5 } }), three, 2)).toBe(5);
    expect(effectiveQuorumThreshold(of({ threshold: { type: 'percentage', value: 67 } }), three, 1)).toBe(3);
    expect(
      effectiveQuorumThreshold(of({ threshold: { type: 'weighted', value: 1 } }), three, 1),
    ).toBeUndefined();
    expect(effectiveQuorumThreshold({ rules: 'not JSON' }, three, 1)).toBeUndefined();
  });
});

describe('a mistake in the arguments', () => {
  // Nobody listens there: whatever reached the network would fail as a transport error.
  const nowhere = new MacpClient({ address: '127.0.0.1:1', auth: Auth.devAgent('alice') });
  const [decision, proposal, task, quorum, rounds] = [
    new DecisionSession(nowhere),
    new ProposalSession(nowhere),
    new TaskSession(nowhere),
    new QuorumSession(nowhere),
    new MultiRoundSession(nowhere),
  ];
  const wrong: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['participants', () => decision.start({ ...START, participants: [] })],
    ['participants', () => task.start({ ...START, participants: ['alice'] })],
    ['participants[1]', () => quorum.start({ ...START, participants: ['a', 'a'] })],
    ['ttlMs', () => proposal.start({ ...START, ttlMs: 0 })],
    ['proposalId', () => decision.propose({ proposalId: ' ', option: 'x' })],
    ['option', () => decision.propose({ proposalId: 'p', option: '' })],
    [
      'supportingData',
      () => decision.propose({ proposalId: 'p', option: 'x', supportingData: 'x' as never }),
    ],
    ['recommendation', () => decision.evaluate({ proposalId: 'p', recommendation: 'MAYBE', confidence: 1 })],
    ['confidence', () => decision.evaluate({ proposalId: 'p', recommendation: 'APPROVE', confidence: 1.1 })],
    ['severity', () => decision.raiseObjection({ proposalId: 'p', reason: 'r', severity: '' })],
    ['reason', () => decision.raiseObjection({ proposalId: 'p', reason: '' })],
    ['vote', () => decision.vote({ proposalId: 'p', vote: 'yes' })],
    ['proposalId', () => proposal.propose({ proposalId: '' })],
    ['details', () => proposal.propose({ proposalId: 'p', details: [] as never })],
    ['supersedesProposalId', () => proposal.counterPropose({ proposalId: 'p', supersedesProposalId: '' })],
    ['proposalId', () => proposal.withdraw({ proposalId: '' })],
    ['title', () => task.requestTask({ taskId: 't', title: '' })],
    ['deadlineUnixMs', () => task.requestTask({ taskId: 't', title: 'x', deadlineUnixMs: 1.5 })],
    ['progress', () => task.updateTask({ taskId: 't', progress: Number.NaN })],
    ['taskId', () => task.completeTask({ taskId: '' })],
    ['output', () => task.completeTask({ taskId: 't', output: 'text' as never })],
    [
      'requiredApprovals',
      () => quorum.requestApproval({ requestId: 'r', action: 'a', requiredApprovals: 0 }),
    ],
    ['action', () => quorum.requestApproval({ requestId: 'r', action: ' ', requiredApprovals: 1 })],
    ['requestId', () => quorum.abstain({ requestId: '' })],
    ['value', () => rounds.contribute({ value: 7 as never })],
    ['messageId', () => rounds.contribute({ value: 'x', messageId: '' })],
    ['outcomePositive', () => decision.commit({ action: 'went well', ...OUTCOME })],
    ['authorityScope', () => task.commit({ action: 'task.completed', authorityScope: '', reason: 'r' })],
    ['action', () => quorum.commit({ action: '', ...OUTCOME })],
  ];

  it.each(wrong)('is named before anything is sent: %s', async (argument, act) => {
    await expect(act()).rejects.toMatchObject({ name: 'MacpSessionError', argument });
  });
});

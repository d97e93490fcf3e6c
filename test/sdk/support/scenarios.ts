/** What is played on a real server to make the projection fixtures. Participants: alice starts, bob, carol and dave answer. */
import type { Envelope } from '@handover/core';
import {
  Auth,
  buildDecisionPolicy,
  buildEnvelope,
  buildTaskPolicy,
  DecisionSession,
  HandoffSession,
  MacpClient,
  MODE_DECISION,
  MODE_MULTI_ROUND,
  MODE_QUORUM,
  MODE_TASK,
  MultiRoundSession,
  newSessionId,
  ProposalSession,
  QuorumSession,
  serializeMessage,
  TaskSession,
} from 'macp-sdk-typescript';

export interface Scenario {
  readonly about: string;
  /** The phase in which it ends. */
  readonly phase: string;
  play(address: string): Promise<readonly Envelope[]>;
}

const START = { participants: ['alice', 'bob', 'carol'], ttlMs: 600_000 };
const bytes = (text: string) => Buffer.from(text);
const by = (sender: string) => ({ sender });

async function withClient(
  address: string,
  act: (client: MacpClient) => Promise<string>,
): Promise<Envelope[]> {
  const client = new MacpClient({ address, auth: Auth.devAgent('alice') });
  try {
    const sessionId = await act(client);
    const transcript: Envelope[] = [];
    for await (const { envelope } of client.readHistory(sessionId)) transcript.push(envelope);
    return transcript;
  } finally {
    client.close();
  }
}

const played = (
  about: string,
  phase: string,
  act: (client: MacpClient) => Promise<{ readonly sessionId: string }>,
): Scenario => ({
  about,
  phase,
  play: (address) => withClient(address, async (client) => (await act(client)).sessionId),
});

/** A recorded history with one message more, which the server itself would refuse. */
const altered = (of: Scenario, about: string, type: string, other: Partial<Envelope>): Scenario => ({
  about,
  phase: of.phase,
  async play(address) {
    const transcript = await of.play(address);
    const index = transcript.findLastIndex(({ messageType }) => messageType === type);
    const first = transcript[index];
    if (!first) throw new Error('nothing to repeat');
    return transcript.toSpliced(index + 1, 0, { ...first, ...other, messageId: `${first.messageId}-again` });
  },
});

async function decisionWith(client: MacpClient, policyVersion?: string) {
  const session = new DecisionSession(client, { policyVersion });
  await session.start({ ...START, intent: 'which release goes out', context: bytes('build 7') });
  await session.propose({
    proposalId: 'canary',
    option: 'canary',
    rationale: 'slowly',
    supportingData: bytes('\0'),
  });
  return session;
}

const decisionVoted = played(
  'Two options, evaluations, an objection, votes with an abstention, and the choice.',
  'Committed',
  async (client) => {
    const session = await decisionWith(client);
    await session.propose({ proposalId: 'full', option: 'everybody at once', sender: 'bob' });
    await session.evaluate({
      proposalId: 'canary',
      recommendation: 'approve',
      confidence: 0.9,
      ...by('bob'),
    });
    await session.evaluate({
      proposalId: 'full',
      recommendation: 'review',
      confidence: 0.5,
      reason: 'why',
      ...by('carol'),
    });
    await session.raiseObjection({
      proposalId: 'full',
      reason: 'no way back',
      severity: 'HIGH',
      ...by('carol'),
    });
    await session.vote({ proposalId: 'canary', vote: 'approve', reason: 'safe', ...by('alice') });
    await session.vote({ proposalId: 'canary', vote: 'approve', ...by('bob') });
    await session.vote({ proposalId: 'full', vote: 'reject', ...by('carol') });
    await session.vote({ proposalId: 'canary', vote: 'abstain', ...by('carol') });
    await session.commit({
      action: 'option.selected',
      authorityScope: 'release',
      reason: 'canary has two of three',
    });
    return session;
  },
);

const proposalCountered = played(
  'A counter-proposal; both parties change to it, and it is agreed.',
  'Committed',
  async (client) => {
    const session = new ProposalSession(client);
    await session.start({ ...START, participants: ['alice', 'bob'], intent: 'the price' });
    await session.propose({ proposalId: 'p1', title: '100', details: bytes('a'), tags: ['first', 'high'] });
    await session.accept({ proposalId: 'p1' });
    await session.counterPropose({
      proposalId: 'p2',
      supersedesProposalId: 'p1',
      title: '80',
      summary: 'lower',
      ...by('bob'),
    });
    await session.reject({ proposalId: 'p1', reason: 'too much', ...by('bob') });
    await session.accept({ proposalId: 'p2', reason: 'well', ...by('bob') });
    await session.accept({ proposalId: 'p2' });
    await session.commit({ action: 'proposal.accepted', authorityScope: 'price', reason: '80 it is' });
    return session;
  },
);

async function taskGiven(client: MacpClient, requestedAssignee: string | undefined, policyVersion?: string) {
  const session = new TaskSession(client, { policyVersion });
  await session.start({ ...START, intent: 'a report' });
  const input = bytes('{"week":7}');
  await session.requestTask({
    taskId: 't1',
    title: 'report',
    instructions: 'one page',
    requestedAssignee,
    input,
    deadlineUnixMs: 1_900_000_000_000,
  });
  return session;
}

const taskCompleted = played(
  'Taken by the one it was meant for, updates, done with an output.',
  'Committed',
  async (client) => {
    const session = await taskGiven(client, 'bob');
    await session.acceptTask({ taskId: 't1', reason: 'mine', ...by('bob') });
    await session.updateTask({
      taskId: 't1',
      status: 'writing',
      progress: 0.25,
      message: 'a start',
      ...by('bob'),
    });
    await session.updateTask({
      taskId: 't1',
      status: 'writing',
      progress: 0.75,
      partialOutput: bytes('half'),
      ...by('bob'),
    });
    await session.completeTask({ taskId: 't1', output: bytes('page'), summary: 'a page', ...by('bob') });
    await session.commit({ action: 'task.completed', authorityScope: 'report', reason: 'it is there' });
    return session;
  },
);

async function approvalAsked(client: MacpClient, requiredApprovals: number) {
  const session = new QuorumSession(client);
  await session.start({ ...START, participants: ['bob', 'carol', 'dave'], intent: 'open the vault' });
  await session.requestApproval({
    requestId: 'r1',
    action: 'open',
    summary: 'once',
    details: bytes('vault 3'),
    requiredApprovals,
  });
  return session;
}

const quorumApproved = played('Two of three approve, one abstains.', 'Committed', async (client) => {
  const session = await approvalAsked(client, 2);
  await session.approve({ requestId: 'r1', reason: 'yes', ...by('bob') });
  await session.abstain({ requestId: 'r1', ...by('carol') });
  await session.approve({ requestId: 'r1', ...by('dave') });
  await session.commit({ action: 'quorum.approved', authorityScope: 'vault', reason: 'two of three' });
  return session;
});

const handoffDeclined = played(
  'Bob declines; carol can be asked, bob cannot be asked again, nor the owner.',
  'Resolved',
  async (client) => {
    const session = new HandoffSession(client);
    await session.start({ ...START, intent: 'the pager' });
    await session.offer({ handoffId: 'h1', targetParticipant: 'bob', scope: 'pager' });
    await session.decline({ handoffId: 'h1', reason: 'away', ...by('bob') });
    return session;
  },
);

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'decision/voted': decisionVoted,
  'decision/duplicate-vote': altered(
    decisionVoted,
    'Carol votes again, and otherwise, as no conforming runtime accepts it: her first vote counts.',
    'Vote',
    {
      payload: serializeMessage(
        'Vote',
        { proposalId: 'canary', vote: 'REJECT', reason: 'no' },
        MODE_DECISION,
      ),
    },
  ),
  'decision/vetoed': played(
    'A critical objection finalizes the decline, without any vote.',
    'Committed',
    async (client) => {
      const policy = buildDecisionPolicy(`policy.veto.${newSessionId()}`, 'one critical objection declines', {
        voting: { algorithm: 'majority' },
        objectionHandling: { criticalSeverityVetoes: true, criticalObjectionAction: 'finalize_decline' },
      });
      await client.registerPolicy(policy);
      const session = await decisionWith(client, policy.policyId);
      await session.raiseObjection({
        proposalId: 'canary',
        reason: 'data loss',
        severity: 'critical',
        ...by('carol'),
      });
      await session.commit({ action: 'decision.declined', authorityScope: 'release', reason: 'vetoed' });
      return session;
    },
  ),
  'decision/suspended': played(
    'Two options, a default objection; the session is suspended.',
    'Evaluation',
    async (client) => {
      const session = await decisionWith(client);
      await session.suspend('lunch');
      await session.resume('back');
      await session.propose({ proposalId: '__proto__', option: 'a name like any other', ...by('carol') });
      await session.raiseObjection({ proposalId: '__proto__', reason: 'odd', ...by('bob') });
      await session.suspend('night');
      return session;
    },
  ),
  'proposal/countered': proposalCountered,
  'proposal/withdrawn': played(
    'A proposal that was rejected for good is withdrawn: the talk goes on.',
    'Negotiating',
    async (client) => {
      const session = new ProposalSession(client);
      await session.start({ ...START, intent: 'the price' });
      await session.propose({ proposalId: 'p1', title: '100' });
      await session.accept({ proposalId: 'p1', ...by('carol') });
      await session.reject({ proposalId: 'p1', terminal: true, reason: 'never', ...by('bob') });
      await session.withdraw({ proposalId: 'p1', reason: 'fine' });
      await session.propose({ proposalId: 'p2', title: '90', ...by('carol') });
      return session;
    },
  ),
  'proposal/rejected': played('Rejected for good.', 'TerminalRejected', async (client) => {
    const session = new ProposalSession(client);
    await session.start({ ...START, intent: 'the price' });
    await session.propose({ proposalId: 'p1', title: '100' });
    await session.propose({ proposalId: 'p2', title: '90' });
    await session.reject({ proposalId: 'p1', terminal: true, ...by('bob') });
    return session;
  }),
  'proposal/agreed': played('All accept, nobody has committed yet.', 'Negotiating', async (client) => {
    const session = new ProposalSession(client);
    await session.start({ ...START, intent: 'the price' });
    await session.propose({ proposalId: 'p1', title: '100', ...by('bob') });
    for (const name of START.participants) await session.accept({ proposalId: 'p1', ...by(name) });
    return session;
  }),
  'task/completed': taskCompleted,
  'task/duplicate-accept': altered(
    taskCompleted,
    'Carol accepts what bob has, as no conforming runtime accepts it: it stays with bob.',
    'TaskAccept',
    {
      sender: 'carol',
      payload: serializeMessage('TaskAccept', { taskId: 't1', assignee: 'carol', reason: '' }, MODE_TASK),
    },
  ),
  'task/failed': played(
    'Open to anybody, taken by carol, failed and worth another try.',
    'Failed',
    async (client) => {
      const session = await taskGiven(client, undefined);
      await session.rejectTask({ taskId: 't1', ...by('bob') });
      await session.acceptTask({ taskId: 't1', ...by('carol') });
      await session.failTask({
        taskId: 't1',
        errorCode: 'NO_DATA',
        reason: 'the week is missing',
        retryable: true,
        ...by('carol'),
      });
      return session;
    },
  ),
  'task/declined': played(
    'The one it was meant for declines: only a negative end is possible.',
    'Requested',
    async (client) => {
      const session = await taskGiven(client, 'bob');
      await session.rejectTask({ taskId: 't1', reason: 'no time', ...by('bob') });
      return session;
    },
  ),
  'task/given-back': played(
    'Given back under a policy that allows it; carol takes it.',
    'InProgress',
    async (client) => {
      const policy = buildTaskPolicy(`policy.back.${newSessionId()}`, 'may be given back', {
        assignment: { allowReassignmentOnReject: true },
      });
      await client.registerPolicy(policy);
      const session = await taskGiven(client, undefined, policy.policyId);
      await session.acceptTask({ taskId: 't1', ...by('bob') });
      await session.updateTask({ taskId: 't1', progress: 0.5, ...by('bob') });
      await session.rejectTask({ taskId: 't1', reason: 'stuck', ...by('bob') });
      await session.acceptTask({ taskId: 't1', ...by('carol') });
      return session;
    },
  ),
  'task/pending': played('Nothing was asked yet.', 'Pending', async (client) => {
    const session = new TaskSession(client);
    await session.start({ ...START, intent: 'a report' });
    return session;
  }),
  'quorum/approved': quorumApproved,
  'quorum/duplicate-ballot': altered(
    quorumApproved,
    'Dave casts another ballot, as no conforming runtime accepts it: his first counts.',
    'Approve',
    {
      messageType: 'Reject',
      payload: serializeMessage('Reject', { requestId: 'r1', reason: 'no' }, MODE_QUORUM),
    },
  ),
  'quorum/rejected': played(
    'Two of three are needed, two reject: it cannot be reached any more.',
    'Committed',
    async (client) => {
      const session = await approvalAsked(client, 2);
      await session.reject({ requestId: 'r1', reason: 'no', ...by('bob') });
      await session.reject({ requestId: 'r1', ...by('dave') });
      await session.commit({ action: 'quorum.rejected', authorityScope: 'vault', reason: 'two against' });
      return session;
    },
  ),
  'quorum/voting': played('One of three has approved.', 'Voting', async (client) => {
    const session = await approvalAsked(client, 3);
    await session.approve({ requestId: 'r1', ...by('carol') });
    return session;
  }),
  'multi-round/committed': played(
    'Three rounds until both hold the same; one contribution in the older JSON form.',
    'Committed',
    async (client) => {
      const session = new MultiRoundSession(client);
      await session.start({ ...START, participants: ['alice', 'bob'], intent: 'a number' });
      await session.contribute({ value: '7' });
      await session.contribute({ value: '7' });
      await session.contribute({ value: '8', ...by('bob') });
      const json = buildEnvelope({
        mode: MODE_MULTI_ROUND,
        messageType: 'Contribute',
        sessionId: session.sessionId,
        sender: 'bob',
        payload: bytes('{"value":"7"}'),
      });
      await client.send(json, { auth: Auth.devAgent('bob') });
      await session.commit({ action: 'number.selected', authorityScope: 'numbers', reason: 'both say 7' });
      return session;
    },
  ),
  'multi-round/converged': played(
    'All hold the same; nobody has committed yet.',
    'Converged',
    async (client) => {
      const session = new MultiRoundSession(client);
      await session.start({ ...START, intent: 'a number' });
      for (const name of START.participants) await session.contribute({ value: 'ü', ...by(name) });
      return session;
    },
  ),
  'handoff/declined': handoffDeclined,
  'handoff/settled': altered(
    handoffDeclined,
    'Bob accepts what he declined, as no conforming runtime accepts it: the decline counts.',
    'HandoffDecline',
    {
      messageType: 'HandoffAccept',
      payload: serializeMessage('HandoffAccept', {
        handoffId: 'h1',
        acceptedBy: 'bob',
        reason: '',
        implicit: false,
      }),
    },
  ),
};

/** Agents in sessions of every mode, and the bootstrap file in its nested form. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentMode,
  fromBootstrap,
  MODE_DECISION,
  MODE_MULTI_ROUND,
  MODE_PROPOSAL,
  MODE_QUORUM,
  MODE_TASK,
  newSessionId,
  Participant,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { useServer } from './support/server.js';

const participants = ['alice', 'bob'];
const sessionStart = { intent: 'x', participants, ttlMs: 60_000 };
const OUTCOME = { authorityScope: 's', reason: 'r' };

describe('an agent', () => {
  const server = useServer();

  /** Alice, who opens the session, and bob. */
  function pair<M extends AgentMode>(mode: M) {
    const sessionId = newSessionId();
    const agent = (participantId: string, initiator?: { sessionStart: typeof sessionStart }) =>
      new Participant({ participantId, sessionId, mode, client: server.as(participantId), initiator });
    return [agent('alice', { sessionStart }), agent('bob')] as const;
  }

  it('of Task Mode takes a task and reports it', async () => {
    const [alice, bob] = pair(MODE_TASK);
    const phases: string[] = [];
    alice
      .on('SessionStart', async (_, { participant }) => {
        await participant.session.requestTask({ taskId: 't1', title: 'a page', requestedAssignee: 'bob' });
      })
      .on('TaskComplete', async ({ payload }, { actions }) => {
        await actions.commit({ action: 'task.completed', ...OUTCOME, reason: payload.summary });
      });
    bob
      .on('TaskRequest', async ({ payload }, { participant: { session }, actions }) => {
        await session.acceptTask({ taskId: payload.taskId });
        await actions.progress({ progressToken: 't', progress: 1, total: 2 });
        await session.completeTask({ taskId: payload.taskId, summary: 'done' });
      })
      .onPhaseChange('*', ({ previous, phase }) => void phases.push(`${previous} ${phase}`));
    const [result] = await Promise.all([alice.run(), bob.run()]);
    expect(result).toMatchObject({
      state: 'RESOLVED',
      commitment: { action: 'task.completed', reason: 'done' },
    });
    expect(phases).toEqual([
      'Pending Requested',
      'Requested InProgress',
      'InProgress Completed',
      'Completed Committed',
    ]);
  });

  it('of Decision Mode votes', async () => {
    const [alice, bob] = pair(MODE_DECISION);
    alice
      .on('SessionStart', async (_, { participant }) => {
        await participant.session.propose({ proposalId: 'p1', option: 'go' });
      })
      .on('Vote', async (_, { projection, actions }) => {
        expect(projection.majorityWinner()).toBe('p1');
        await actions.commit({ action: 'option.selected', ...OUTCOME });
      });
    bob.on('Proposal', async ({ payload }, { participant }) => {
      await participant.session.vote({ proposalId: payload.proposalId, vote: 'approve' });
    });
    const [result] = await Promise.all([alice.run(), bob.run()]);
    expect(result?.commitment?.outcomePositive).toBe(true);
  });

  it('of Quorum, Proposal and multi-round sessions speaks their words', async () => {
    const [asks, approves] = pair(MODE_QUORUM);
    asks
      .on('SessionStart', async (_, { participant }) => {
        await participant.session.requestApproval({
          requestId: 'r1',
          action: 'deploy',
          requiredApprovals: 1,
        });
      })
      .on('Approve', (_, { actions }) => void actions.commit({ action: 'deploy.approved', ...OUTCOME }));
    approves.on('ApprovalRequest', ({ payload }, { participant }) => {
      return participant.session.approve({ requestId: payload.requestId }).then(() => undefined);
    });
    const [proposes, accepts] = pair(MODE_PROPOSAL);
    proposes
      .on('SessionStart', async (_, { participant: { session } }) => {
        await session.propose({ proposalId: 'p1', title: 'a price' });
        await session.accept({ proposalId: 'p1' });
      })
      .onPhaseChange('*', () => undefined)
      .on('Accept', ({ sender }, { actions }) =>
        sender === 'bob' ? void actions.commit({ action: 'proposal.accepted', ...OUTCOME }) : undefined,
      );
    accepts.on('Accept', ({ sender }, { participant: { session } }) =>
      sender === 'alice' ? session.accept({ proposalId: 'p1' }).then(() => undefined) : undefined,
    );
    const [first, second] = pair(MODE_MULTI_ROUND);
    for (const agent of [first, second])
      agent.on('SessionStart', (_, { participant }) =>
        participant.session.contribute({ value: '42' }).then(() => undefined),
      );
    first.onPhaseChange('Converged', (_, { actions }) =>
      actions.commit({ action: 'value.selected', ...OUTCOME }).then(() => undefined),
    );
    const agents = [asks, approves, proposes, accepts, first, second];
    const results = await Promise.all(agents.map((agent) => agent.run()));
    expect(results.map((result) => result?.commitment?.action)).toEqual([
      'deploy.approved',
      'deploy.approved',
      'proposal.accepted',
      'proposal.accepted',
      'value.selected',
      'value.selected',
    ]);
  });

  it('can say anything in its mode by name, and refuses a mode that it does not know', async () => {
    const [alice] = pair(MODE_QUORUM);
    await alice.session.start(sessionStart);
    await expect(alice.actions.send('Shrug', new Uint8Array())).rejects.toMatchObject({
      code: 'INVALID_ENVELOPE',
    });
    await alice.actions.suspend();
    await alice.actions.resume();
    await alice.actions.cancel();
    const options = { participantId: 'alice', sessionId: newSessionId(), client: server.as('alice') };
    expect(() => new Participant({ ...options, mode: 'macp.mode.duel.v1' as AgentMode })).toThrow(
      /mode must be one of macp\.mode\.decision\.v1/,
    );
  });
});

describe('a bootstrap file', () => {
  const token = 'b0b';
  const server = useServer({
    args: [],
    env: { MACP_AUTH_TOKENS_JSON: JSON.stringify([{ token, sender: 'alice' }]), MACP_ALLOW_INSECURE: '1' },
  });
  const path = join(mkdtempSync(join(tmpdir(), 'bootstrap-')), 'agent.json');
  const write = (document: object) => writeFileSync(path, JSON.stringify(document));

  it(`${verifies('macp-2026:19:bootstrap')}in its nested form, of another mode than Handoff`, async () => {
    const document = {
      participant_id: 'alice',
      session_id: newSessionId(),
      mode: MODE_TASK,
      runtime_url: `http://${server.address()}`,
      auth: { bearer_token: token },
      secure: false,
      participants,
      initiator: {
        session_start: {
          intent: 'a report',
          ttl_ms: 60_000,
          max_suspend_ms: 1_000,
          extensions: { context: Buffer.from('bytes').toString('base64'), 'x-note': { a: 1 } },
          roots: [{ uri: 'file:///srv', name: 'srv' }],
        },
        kickoff: {
          message_type: 'TaskRequest',
          payload: { task_id: 't1', title: 'a page', requested_assignee: 'bob' },
        },
      },
    };
    write(document);
    const agent = fromBootstrap<typeof MODE_TASK>(path).on('TaskRequest', async (_, { actions }) => {
      await actions.cancel('seen');
    });
    expect(await agent.run()).toEqual({ state: 'CANCELLED' });
    const { sessionStart: started, frozenContext } = agent.projection;
    expect(started).toMatchObject({
      participants,
      maxSuspendMs: 1_000,
      roots: [{ uri: 'file:///srv', name: 'srv' }],
    });
    expect(Buffer.from(frozenContext ?? []).toString()).toBe('bytes');
    expect(Buffer.from(started?.extensions['x-note'] ?? []).toString()).toBe('{"a":1}');
    expect(agent.projection.phase).toBe('Requested');
    agent.session.client.close();

    const flawOf = (change: object) => {
      write({ ...document, ...change });
      try {
        fromBootstrap(path).session.client.close();
      } catch (error) {
        return (error as { argument?: string }).argument;
      }
      return undefined;
    };
    expect(flawOf({})).toBeUndefined();
    expect(flawOf({ auth: { bearer_token: ' ' } })).toBe('auth.bearer_token');
    expect(flawOf({ mode: 'macp.mode.duel.v1' })).toBe('mode');
    const start = { ...document.initiator.session_start, extensions: { context: 'no base64!' } };
    expect(flawOf({ initiator: { session_start: start } })).toBe('extensions.context');
    write([]);
    expect(() => fromBootstrap(path)).toThrow('JSON object');
  });
});

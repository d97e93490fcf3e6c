/**
 * Answers, claims, Commitments and controls are never refused by a quota. The test walks the table of quotas: for every
 * row that is exempt, the caller has used up its rate and its bytes before, at every door that takes it.
 */
import {
  CoreMessageType,
  DECISION_MODE,
  type Envelope,
  HANDOFF_MODE,
  QUORUM_MODE,
  TASK_MODE,
} from '@handover/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RateBucket } from '../../packages/server/src/auth/rate-limiter.js';
import type { Server } from '../../packages/server/src/server.js';
import {
  CONTROL_QUOTAS,
  CORE_QUOTAS,
  HANDOFF_QUOTAS,
  MODE_QUOTAS,
  OPERATION_QUOTAS,
  quotaOf,
} from '../../packages/server/src/services/quotas.js';
import { accept, commit, context, decline, envelopeOf, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { sayIn, startIn } from '../kit/mode-envelopes.js';
import { openServer } from '../kit/server.js';
import { O1 } from '../operations/support/examples.js';
import { secretIn, type Wire } from '../operations/support/world.js';
import { type WaysIn, waysInto } from '../security/doors.js';

const LIMIT = 40;
const BYTES = 30_000;

let server: Server;
let grpc: GrpcClient;
let ways: WaysIn;
const clients = new Map<string, Awaited<ReturnType<typeof connectHttp>>>();
beforeAll(async () => {
  server = await openServer({
    env: {
      MACP_MESSAGE_LIMIT_PER_MINUTE: String(LIMIT),
      MACP_SESSION_START_LIMIT_PER_MINUTE: String(LIMIT),
      HANDOVER_QUOTA_BYTES_AGENT: String(BYTES),
    },
  });
  const address = `${server.grpc.host}:${server.grpc.port}`;
  grpc = new GrpcClient(address);
  ways = waysInto(address, server.httpUrl);
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  ways.close();
  grpc.close();
  await server.close(AbortSignal.timeout(1_000));
});

const signal = (sender: string) =>
  envelopeOf('', sender, CoreMessageType.Signal, new Uint8Array(0), { mode: '' });

/** Uses up an agent's bytes, then its messages; both refusals are seen. */
async function exhaust(agent: string): Promise<void> {
  const own = `full-session-of-${agent}`;
  await grpc.send(start(own, agent, { participants: [agent, 'nobody'] }));
  await grpc.send(offer(own, 'h', 'nobody', agent));
  const said: string[] = [];
  for (let i = 0; i < 20 && said.length === 0; i += 1) {
    const { error } = await grpc.send(context(own, 'h', 'x'.repeat(4_000), agent));
    if (error) said.push(`${error.code}: ${error.message}`);
  }
  expect(said).toEqual([
    expect.stringMatching(/^RATE_LIMITED: this agent has stored \d+ bytes and may store/),
  ]);
  for (let i = 0; i < LIMIT; i += 1) await grpc.send(signal(agent));
  const { error } = await grpc.send(signal(agent));
  expect(error).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(
      /^more than \d+ messages and requests in 60 seconds, the limit of MACP_MESSAGE_LIMIT_PER_MINUTE; try again in \d+ ms$/,
    ),
  });
}

async function tool(agent: string, name: string, args: object): Promise<Wire> {
  const client = clients.get(agent) ?? (await connectHttp(new URL('/mcp', server.httpUrl), agent));
  clients.set(agent, client);
  const result = (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Wire;
  return JSON.parse(result.content[0].text);
}

let last = 0;
/** A session with an open offer, and two agents of its own. */
async function offered(accepted = false) {
  last += 1;
  const [session, owner, target] = [`exempt-session-number-${last}`, `owner-${last}`, `target-${last}`];
  await grpc.send(start(session, owner, { participants: [owner, target] }));
  await grpc.send(offer(session, 'h1', target, owner));
  if (accepted) await grpc.send(accept(session, 'h1', target));
  return { session, owner, target };
}

/** The same through assistants. */
async function requested(acceptedBefore = false) {
  last += 1;
  const [owner, target] = [`asker-${last}`, `helper-${last}`];
  await tool(owner, 'registerSession', { sessionKey: `k${last}`, agentFrom: owner });
  const { handoff } = await tool(owner, 'requestHandoff', {
    sessionKey: `k${last}`,
    targetAgent: target,
    requestType: 'collaboration',
  });
  if (acceptedBefore) await tool(target, 'acceptHandoff', { handoffId: handoff.handoffId });
  return { owner, target, handoffId: handoff.handoffId as string };
}

const exempt = (table: Readonly<Record<string, string>>): string[] =>
  Object.keys(table).filter((name) => table[name] === RateBucket.ANSWER);

const NOTHING = new Uint8Array(0);
const decision = sayIn(DECISION_MODE);
const quorum = sayIn(QUORUM_MODE);
const task = sayIn(TASK_MODE);

/** The answer, when all others have spoken and who answers has used up everything. */
async function afterAllElse(answer: Envelope, before: readonly Envelope[]): Promise<Envelope> {
  for (const envelope of before) expect((await grpc.send(envelope)).ok).toBe(true);
  await exhaust(answer.sender);
  return answer;
}

/** Names of a session, its owner and its target. */
function names() {
  last += 1;
  return { id: `exempt-session-number-${last}`, owner: `owner-${last}`, target: `target-${last}` };
}

const ballot = (type: 'Approve' | 'Reject' | 'Abstain') => () => {
  const { id, owner, target } = names();
  const request = { requestId: 'r', action: 'a', summary: '', details: NOTHING, requiredApprovals: 1 };
  return afterAllElse(quorum(id, target, type, { requestId: 'r', reason: '' }), [
    startIn(QUORUM_MODE, id, owner, [target]),
    quorum(id, owner, 'ApprovalRequest', request),
  ]);
};

const taskAnswer =
  (answer: (id: string, target: string) => Envelope, taken = true) =>
  () => {
    const { id, owner, target } = names();
    const request = { taskId: 't', title: 't', instructions: '', requestedAssignee: target, input: NOTHING };
    const accepted = task(id, target, 'TaskAccept', { taskId: 't', assignee: '', reason: '' });
    return afterAllElse(answer(id, target), [
      startIn(TASK_MODE, id, owner, [owner, target]),
      task(id, owner, 'TaskRequest', { ...request, deadlineUnixMs: 0 }),
      ...(taken ? [accepted] : []),
    ]);
  };
const answered = { taskId: 't', assignee: '', reason: '' };

/** By mode, so that a type that two modes have is tried in each. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, () => Promise<Envelope>>>>> = {
  every: {
    Commitment: async () => {
      const { session, owner } = await offered(true);
      await exhaust(owner);
      return commit(session, owner);
    },
  },
  [HANDOFF_MODE]: {
    HandoffAccept: async () => {
      const { session, owner, target } = await offered();
      await exhaust(owner);
      await exhaust(target);
      return accept(session, 'h1', target);
    },
    HandoffDecline: async () => {
      const { session, target } = await offered();
      await exhaust(target);
      return decline(session, 'h1', target);
    },
  },
  [DECISION_MODE]: {
    Vote: () => {
      const { id, owner, target } = names();
      const plan = { proposalId: 'p', option: 'o', rationale: '', supportingData: NOTHING };
      return afterAllElse(decision(id, target, 'Vote', { proposalId: 'p', vote: 'APPROVE', reason: '' }), [
        startIn(DECISION_MODE, id, owner, [owner, target]),
        decision(id, owner, 'Proposal', plan),
      ]);
    },
  },
  [QUORUM_MODE]: { Approve: ballot('Approve'), Reject: ballot('Reject'), Abstain: ballot('Abstain') },
  [TASK_MODE]: {
    TaskAccept: taskAnswer((id, target) => task(id, target, 'TaskAccept', answered), false),
    TaskReject: taskAnswer((id, target) => task(id, target, 'TaskReject', answered), false),
    TaskComplete: taskAnswer((id, target) =>
      task(id, target, 'TaskComplete', { taskId: 't', assignee: '', output: NOTHING, summary: '' }),
    ),
    TaskFail: taskAnswer((id, target) =>
      task(id, target, 'TaskFail', { ...answered, errorCode: 'E', retryable: false }),
    ),
  },
};

describe('hardening:H5', () => {
  it('hardening:H5 the rows that are exempt are those that are tried here, and no others', () => {
    const tables = { every: CORE_QUOTAS, ...MODE_QUOTAS };
    const rows = Object.entries(tables).map(([mode, table]) => [mode, exempt(table).sort()]);
    const tried = Object.entries(MESSAGES).map(([mode, types]) => [mode, Object.keys(types).sort()]);
    expect(rows.filter(([, types]) => types?.length !== 0).sort()).toEqual(tried.sort());
    expect(exempt(CONTROL_QUOTAS).sort()).toEqual(['cancel', 'resume']);
    expect(exempt(HANDOFF_QUOTAS).sort()).toEqual([
      'acceptHandoff',
      'cancelHandoff',
      'commitHandoff',
      'declineHandoff',
    ]);
    expect(exempt(OPERATION_QUOTAS)).toEqual(['cancel']);
    for (const name of ['constructor', '__proto__', 'toString'])
      expect([
        quotaOf({ mode: name, messageType: 'HandoffAccept' }),
        quotaOf({ mode: '', messageType: name }),
      ]).toEqual([RateBucket.MESSAGE, RateBucket.MESSAGE]);
  });

  const tried = Object.entries(MESSAGES).flatMap(([mode, types]) =>
    Object.entries(types).map(([type, make]) => [`${type} of ${mode}`, make] as const),
  );
  for (const [type, make] of tried)
    it.each(['send', 'stream', 'http'] as const)(`${type} is taken through %s`, async (way) => {
      const envelope = await make();
      expect(await ways[way](envelope, envelope.sender)).toBe('ok');
    });

  const controls = exempt(CONTROL_QUOTAS) as (keyof typeof CONTROL_QUOTAS)[];
  it.each(controls)('%s is taken over gRPC and HTTP', async (control) => {
    const key = { cancel: 'cancelSession', suspend: 'suspendSession', resume: 'resumeSession' } as const;
    for (const door of ['grpc', 'http']) {
      const { session, owner } = await offered();
      if (control === 'resume') await grpc.call('suspendSession', { sessionId: session, reason: '' }, owner);
      await exhaust(owner);
      if (door === 'grpc') {
        const { ack } = await grpc.call(key[control], { sessionId: session, reason: '' }, owner);
        expect(ack?.ok).toBe(true);
      } else {
        const answer = await fetch(`${server.httpUrl}/macp/session/${session}/${control}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
          body: '{"reason":""}',
        });
        expect([answer.status, await answer.json()]).toMatchObject([200, { ok: true }]);
      }
    }
  });

  it('suspending is a message: a session can be suspended a thousand times', async () => {
    const { session, owner } = await offered();
    await exhaust(owner);
    const { ack } = await grpc.call('suspendSession', { sessionId: session, reason: '' }, owner);
    expect(ack).toMatchObject({ ok: false, error: { code: 'RATE_LIMITED' } });
  });

  it('suspending falls under the bytes, and its reason is counted in them', async () => {
    const { session, owner } = await offered();
    const reason = '€'.repeat(1_365);
    const control = (key: 'suspendSession' | 'resumeSession', words = reason) =>
      grpc
        .call(key, { sessionId: session, reason: words }, owner)
        .then(({ ack }) => ack?.error?.message ?? 'ok');
    expect(await control('suspendSession', `${reason}€`)).toBe('reason is longer than 4096 bytes');
    const said: string[] = [];
    for (let i = 0; i < 10 && said.length === 0; i += 1) {
      const answer = await control('suspendSession');
      if (answer === 'ok') expect(await control('resumeSession')).toBe('ok');
      else said.push(answer);
    }
    expect(said).toEqual([expect.stringMatching(/^this agent has stored \d+ bytes and may store/)]);
  });

  it.each(exempt(HANDOFF_QUOTAS))('%s is taken over MCP', async (name) => {
    const { owner, target, handoffId } = await requested(name === 'commitHandoff');
    const caller = name === 'acceptHandoff' || name === 'declineHandoff' ? target : owner;
    await exhaust(caller);
    expect(await tool(caller, name, { handoffId })).toMatchObject({ success: true });
  });

  it('an operation is claimed by its person and cancelled by its agent', async () => {
    const made = await tool('operator-of-pages', 'create_operation_handoff', O1());
    const another = await tool('operator-of-pages', 'create_operation_handoff', O1());
    await exhaust('operator-of-pages');
    expect(await tool('operator-of-pages', 'create_operation_handoff', O1())).toMatchObject({
      errorCode: 'RATE_LIMITED',
    });
    for (const body of [
      { status: 'opened' },
      { status: 'tx_requested', stepId: 'step_1' },
      { status: 'tx_submitted', stepId: 'step_1', txHash: `0x${'ab'.repeat(32)}` },
    ]) {
      const answer = await fetch(`${server.httpUrl}/api/operations/${made.id}/status`, {
        method: 'POST',
        headers: {
          authorization: `Handoff ${secretIn(made.operationUrl)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
    }
    expect(
      await tool('operator-of-pages', 'cancel_operation_handoff', { operationId: another.id }),
    ).toMatchObject({ status: 'cancelled' });
  });
});

describe('answers that change nothing', () => {
  it('end with RATE_LIMITED, in a bucket of their own', async () => {
    const codes: string[] = [];
    for (let i = 0; i < LIMIT + 10; i += 1)
      codes.push((await grpc.send(accept('no-session-of-this-name', 'h1', 'flooder'))).error?.code ?? 'ok');
    const expected = Array.from({ length: LIMIT + 10 }, (_, i) =>
      i < LIMIT ? 'SESSION_NOT_FOUND' : 'RATE_LIMITED',
    );
    expect(codes).toEqual(expected);
    expect(await tool('flooder', 'acceptHandoff', { handoffId: 'no-session-of-this-name:h1' })).toMatchObject(
      {
        errorCode: 'RATE_LIMITED',
        details: { retryAfterMs: expect.any(Number) },
      },
    );
    expect((await grpc.send(signal('flooder'))).ok).toBe(true);
  });

  it('are repetitions, too; those that change something are free, however many', async () => {
    const target = 'busy-target';
    const accepted: Envelope[] = [];
    for (let i = 0; i < LIMIT + 10; i += 1) {
      const owner = `giver-${i}`;
      const session = `many-answers-session-${i}`;
      await grpc.send(start(session, owner, { participants: [owner, target] }));
      await grpc.send(offer(session, 'h1', target, owner));
      const answer = accept(session, 'h1', target);
      expect((await grpc.send(answer)).ok).toBe(true);
      accepted.push(answer);
    }
    const repeated = [];
    for (const answer of accepted) repeated.push((await grpc.send(answer)).error?.code ?? 'ok');
    expect(repeated.filter((code) => code === 'ok')).toHaveLength(LIMIT);
    expect(repeated.filter((code) => code === 'RATE_LIMITED')).toHaveLength(10);
  });
});

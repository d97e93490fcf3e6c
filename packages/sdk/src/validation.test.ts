/** A mistake in an argument fails before the network, as a MacpSessionError that names it; Python has the same cases. */
import { describe, expect, it } from 'vitest';
import { fromBootstrap } from './agent/bootstrap.js';
import { Participant } from './agent/participant.js';
import { acceptWhen } from './agent/strategies/accept-when.js';
import { declineWhenBusy } from './agent/strategies/answer.js';
import { escalate } from './agent/strategies/escalate.js';
import { Auth } from './auth.js';
import { MacpClient } from './client/client.js';
import { DecisionSession } from './decision/session.js';
import { buildCommitmentPayload, buildEnvelope, serializeMessage } from './envelope/build.js';
import { newSessionId } from './envelope/ids.js';
import { MacpSessionError } from './errors.js';
import { HandoffSession } from './handoff/session.js';
import { configureLogging } from './logging.js';
import { MultiRoundSession } from './multi-round/session.js';
import { buildDecisionPolicy } from './policy/decision-policy.js';
import { buildHandoffPolicy } from './policy/handoff-policy.js';
import { buildProposalPolicy } from './policy/proposal-policy.js';
import { buildQuorumPolicy } from './policy/quorum-policy.js';
import { buildTaskPolicy } from './policy/task-policy.js';
import { ProposalSession } from './proposal/session.js';
import { QuorumSession } from './quorum/session.js';
import { TaskSession } from './task/session.js';
import { validateConfidence, validateParticipants, validateSessionId, validateTtlMs } from './validation.js';
import { SessionLifecycleWatcher } from './watch/session-lifecycle-watcher.js';
import { HandoffWorker } from './worker/worker.js';

// Nothing listens on port 1: whatever is refused here was refused before the network.
const client = new MacpClient({ address: '127.0.0.1:1', auth: Auth.devAgent('alice') });
const MODES = {
  Handoff: HandoffSession,
  Decision: DecisionSession,
  Proposal: ProposalSession,
  Task: TaskSession,
  Quorum: QuorumSession,
  MultiRound: MultiRoundSession,
};
const START = { intent: 'x', participants: ['bob'], ttlMs: 60_000 };
const TEXT = 'text where bytes are meant';
const said = { authorityScope: 's', reason: 'r' };

async function refused(argument: string, call: () => unknown): Promise<void> {
  const error = await Promise.resolve()
    .then(call)
    .then(() => undefined)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MacpSessionError);
  expect(error).toMatchObject({ argument });
  expect(String(error)).toContain(argument);
}

const watching = (reconnect: object) => new SessionLifecycleWatcher(client, { reconnect }).nextChange();

/** Calls by name, as a program without types does. */
function call(target: object, method: string, args: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(target, method);
  if (typeof found !== 'function') throw new Error(`there is no ${method}`);
  return Reflect.apply(found, target, args);
}

type Case = readonly [argument: string, method: string, ...args: readonly unknown[]];
const start = (argument: string, change: object): Case => [argument, 'start', { ...START, ...change }];
const commit = (argument: string, input: object): Case => [argument, 'commit', input];

const HANDOFF: readonly Case[] = [
  ['input', 'start'],
  start('intent', { intent: ' ' }),
  start('intent', { intent: 7 }),
  start('participants', { participants: [] }),
  start('participants', { participants: undefined }),
  start('participants', { participants: 'bob' }),
  start('participants[1]', { participants: ['bob', ' '] }),
  start('participants[1]', { participants: ['bob', 'bob '] }),
  start('participants[0]', { participants: [7] }),
  start('participants', { participants: ['alice'] }),
  start('participants', { participants: Array.from({ length: 1_001 }, (_, i) => `p${i}`) }),
  start('ttlMs', { ttlMs: 0 }),
  start('ttlMs', { ttlMs: 86_400_001 }),
  start('ttlMs', { ttlMs: 1.5 }),
  start('ttlMs', { ttlMs: true }),
  start('maxSuspendMs', { maxSuspendMs: -1 }),
  start('context', { context: TEXT }),
  start('context', { context: new Uint8Array(1), extensions: { context: new Uint8Array(1) } }),
  start('extensions.x', { extensions: { x: TEXT } }),
  start('extensions', { extensions: TEXT }),
  start('contextId', { contextId: 7 }),
  start('roots', { roots: 'file:///a' }),
  start('roots[0]', { roots: [7] }),
  start('roots[0].uri', { roots: [{ name: 'a' }] }),
  start('messageId', { messageId: '' }),
  start('sender', { sender: '' }),
  start('sender', { sender: 7 }),
  start('auth', { auth: 'alice' }),
  start('deadlineMs', { deadlineMs: 0 }),
  start('deadlineMs', { deadlineMs: '100' }),
  start('deadlineMs', { deadlineMs: Number.POSITIVE_INFINITY }),
  start('signal', { signal: 7 }),
  ['input', 'offer'],
  ['handoffId', 'offer', { handoffId: '', targetParticipant: 'bob' }],
  ['handoffId', 'offer', { handoffId: 'a\nb', targetParticipant: 'bob' }],
  ['handoffId', 'offer', { handoffId: 'x'.repeat(257), targetParticipant: 'bob' }],
  ['handoffId', 'offer', { targetParticipant: 'bob' }],
  ['targetParticipant', 'offer', { handoffId: 'h1', targetParticipant: ' ' }],
  ['targetParticipant', 'offer', { handoffId: 'h1', targetParticipant: 'alice' }],
  ['targetParticipant', 'offer', { handoffId: 'h1', targetParticipant: 'bob', sender: 'bob' }],
  ['scope', 'offer', { handoffId: 'h1', targetParticipant: 'bob', scope: 7 }],
  ['scope', 'offer', { handoffId: 'h1', targetParticipant: 'bob', scope: '\ud800' }],
  ['reason', 'offer', { handoffId: 'h1', targetParticipant: 'bob', reason: 7 }],
  ['input', 'sendContext'],
  ['handoffId', 'sendContext', { handoffId: '' }],
  ['handoffId', 'addContext', { handoffId: '' }],
  ['context', 'sendContext', { handoffId: 'h1', context: TEXT }],
  ['contentType', 'sendContext', { handoffId: 'h1', contentType: '' }],
  ['contentType', 'sendContext', { handoffId: 'h1', contentType: 7 }],
  ['input', 'acceptHandoff'],
  ['handoffId', 'acceptHandoff', { handoffId: '' }],
  ['acceptedBy', 'acceptHandoff', { handoffId: 'h1', acceptedBy: 'bob' }],
  ['reason', 'acceptHandoff', { handoffId: 'h1', reason: 7 }],
  ['handoffId', 'decline', { handoffId: 'a\nb' }],
  ['declinedBy', 'decline', { handoffId: 'h1', declinedBy: 7 }],
  ['sender', 'decline', { handoffId: 'h', sender: ' ' }],
  ['action', 'commit'],
  commit('action', { action: ' ' }),
  commit('action', { action: 7 }),
  commit('authorityScope', { action: 'handoff.accepted', authorityScope: ' ', reason: 'r' }),
  commit('reason', { action: 'handoff.accepted', authorityScope: 's', reason: '' }),
  commit('commitmentId', { action: 'handoff.accepted', commitmentId: '' }),
  commit('outcomePositive', { action: 'done', ...said }),
  commit('outcomePositive', { action: 'done', ...said, outcomePositive: 'yes' }),
  commit('outcomePositive', { action: 'handoff.no_target', ...said, outcomePositive: true }),
  commit('outcomePositive', { action: 'handoff.declined', ...said, outcomePositive: true }),
  commit('outcomePositive', { action: 'handoff.accepted', ...said, outcomePositive: false }),
  commit('supersedes', { action: 'handoff.accepted', ...said, supersedes: 'x' }),
  commit('supersedes.sessionId', { action: 'handoff.accepted', ...said, supersedes: {} }),
  commit('supersedes.commitmentHash', {
    action: 'handoff.accepted',
    ...said,
    supersedes: { sessionId: 's1', commitmentHash: 'sha256:00' },
  }),
  ['options', 'handOver', 'bob', 'x', 7],
  ['target', 'handOver', 'alice', 'x'],
  ['options', 'waitForAnswer', 'h', 'x'],
  ['timeoutMs', 'waitForAnswer', 'h', { timeoutMs: -1 }],
  ['timeoutMs', 'waitForAnswer', 'h', { timeoutMs: 2 ** 31 }],
  ['signal', 'waitForAnswer', 'h', { signal: 'x' }],
  ['reason', 'cancel', 7],
  ['deadlineMs', 'sync', { deadlineMs: 0 }],
];

const DECISION: readonly Case[] = [
  ['input', 'propose'],
  ['participants', 'start', { ...START, participants: [] }],
  ['proposalId', 'propose', { proposalId: '', option: 'x' }],
  ['option', 'propose', { proposalId: 'p', option: ' ' }],
  ['rationale', 'propose', { proposalId: 'p', option: 'x', rationale: 7 }],
  ['supportingData', 'propose', { proposalId: 'p', option: 'x', supportingData: TEXT }],
  ['recommendation', 'evaluate', { proposalId: 'p', recommendation: 'maybe', confidence: 1 }],
  ['confidence', 'evaluate', { proposalId: 'p', recommendation: 'APPROVE', confidence: 1.01 }],
  ['confidence', 'evaluate', { proposalId: 'p', recommendation: 'APPROVE', confidence: Number.NaN }],
  ['confidence', 'evaluate', { proposalId: 'p', recommendation: 'APPROVE', confidence: '1' }],
  ['reason', 'evaluate', { proposalId: 'p', recommendation: 'APPROVE', confidence: 1, reason: 7 }],
  ['severity', 'raiseObjection', { proposalId: 'p', reason: 'x', severity: '' }],
  ['reason', 'raiseObjection', { proposalId: 'p', reason: '' }],
  ['vote', 'vote', { proposalId: 'p', vote: 'YES' }],
  ['vote', 'vote', { proposalId: 'p' }],
  ['reason', 'vote', { proposalId: 'p', vote: 'APPROVE', reason: 7 }],
  ['messageId', 'vote', { proposalId: 'p', vote: 'APPROVE', messageId: ' ' }],
  ['outcomePositive', 'commit', { action: 'done', ...said }],
  ['outcomePositive', 'commit', { action: 'option.selected', ...said, outcomePositive: false }],
  ['input', 'commit'],
];

const PROPOSAL: readonly Case[] = [
  ['input', 'propose'],
  ['tags', 'propose', { proposalId: 'p', tags: 'abc' }],
  ['tags[1]', 'propose', { proposalId: 'p', tags: ['a', 7] }],
  ['details', 'propose', { proposalId: 'p', details: TEXT }],
  ['title', 'propose', { proposalId: 'p', title: 7 }],
  ['supersedesProposalId', 'counterPropose', { proposalId: 'p', supersedesProposalId: '' }],
  ['summary', 'counterPropose', { proposalId: 'p', supersedesProposalId: 'q', summary: 7 }],
  ['proposalId', 'withdraw', { proposalId: '\n' }],
  ['reason', 'accept', { proposalId: 'p', reason: 7 }],
  ['terminal', 'reject', { proposalId: 'p', terminal: 'yes' }],
];

const TASK: readonly Case[] = [
  ['input', 'requestTask'],
  ['participants', 'start', { ...START, participants: ['alice'] }],
  ['title', 'requestTask', { taskId: 't', title: '' }],
  ['instructions', 'requestTask', { taskId: 't', title: 'x', instructions: 7 }],
  ['requestedAssignee', 'requestTask', { taskId: 't', title: 'x', requestedAssignee: 7 }],
  ['deadlineUnixMs', 'requestTask', { taskId: 't', title: 'x', deadlineUnixMs: -1 }],
  ['input', 'requestTask', { taskId: 't', title: 'x', input: {} }],
  ['assignee', 'acceptTask', { taskId: 't', assignee: 'bob' }],
  ['reason', 'rejectTask', { taskId: 't', reason: 7 }],
  ['progress', 'updateTask', { taskId: 't', progress: 'half' }],
  ['status', 'updateTask', { taskId: 't', status: 7 }],
  ['taskId', 'completeTask', { taskId: '' }],
  ['output', 'completeTask', { taskId: 't', output: TEXT }],
  ['summary', 'completeTask', { taskId: 't', summary: 7 }],
  ['errorCode', 'failTask', { taskId: 't', errorCode: 7 }],
  ['retryable', 'failTask', { taskId: 't', retryable: 'yes' }],
];

const QUORUM: readonly Case[] = [
  ['input', 'requestApproval'],
  ['requiredApprovals', 'requestApproval', { requestId: 'r', action: 'x', requiredApprovals: 0 }],
  ['requiredApprovals', 'requestApproval', { requestId: 'r', action: 'x', requiredApprovals: 1_001 }],
  ['action', 'requestApproval', { requestId: 'r', action: '', requiredApprovals: 1 }],
  ['summary', 'requestApproval', { requestId: 'r', action: 'x', summary: 7, requiredApprovals: 1 }],
  ['requestId', 'abstain', { requestId: '' }],
  ['reason', 'approve', { requestId: 'r', reason: 7 }],
];

const MULTI_ROUND: readonly Case[] = [
  ['input', 'contribute'],
  ['value', 'contribute', { value: 7 }],
  ['value', 'contribute', { value: '\udc00' }],
];

const id = newSessionId();
const policy = { policyId: 'p', mode: '*', description: '', rules: '{}', schemaVersion: 1 };
const mode = {
  mode: 'ext.x',
  modeVersion: '1',
  title: '',
  description: '',
  determinismClass: '',
  participantModel: '',
  messageTypes: [],
  terminalMessageTypes: ['Commitment'],
  schemaUris: {},
};
const CLIENT: readonly Case[] = [
  ['sessionId', 'getSession', ''],
  ['sessionId', 'getSession', 'x'],
  ['sessionId', 'getSession'],
  ['sessionId', 'cancelSession', ' '],
  ['sessionId', 'suspendSession', 'x'],
  ['reason', 'resumeSession', id, 7],
  ['options', 'getSession', id, 7],
  ['deadlineMs', 'getSession', id, { deadlineMs: -1 }],
  ['deadlineMs', 'cancelSession', id, '', { deadlineMs: Number.NaN }],
  ['auth', 'listModes', { auth: 'alice' }],
  ['signal', 'listModes', { signal: {} }],
  ['deadlineMs', 'initialize', 0],
  ['deadlineMs', 'capabilities', { deadlineMs: 0 }],
  ['pageSize', 'listSessions', { pageSize: -1 }],
  ['pageSize', 'listSessionsPage', { pageSize: -1 }],
  ['pageSize', 'listSessionsPage', { pageSize: 'x' }],
  ['pageToken', 'listSessionsPage', { pageToken: 7 }],
  ['agentId', 'getManifest', 7],
  ['policyId', 'getPolicy', ''],
  ['policyId', 'unregisterPolicy', ' '],
  ['policy', 'registerPolicy'],
  ['policyId', 'registerPolicy', { ...policy, policyId: '' }],
  ['rules', 'registerPolicy', { ...policy, rules: {} }],
  ['schemaVersion', 'registerPolicy', { ...policy, schemaVersion: '1' }],
  ['mode', 'listPolicies', 7],
  ['mode', 'unregisterExtMode', ''],
  ['mode', 'promoteMode', ''],
  ['promotedModeName', 'promoteMode', 'ext.x', 7],
  ['descriptor', 'registerExtMode'],
  ['messageTypes', 'registerExtMode', { mode: 'ext.x' }],
  ['mode', 'registerExtMode', { ...mode, mode: '' }],
  ['terminalMessageTypes', 'registerExtMode', { ...mode, terminalMessageTypes: [] }],
  ['title', 'registerExtMode', { ...mode, title: 7 }],
  ['schemaUris', 'registerExtMode', { ...mode, schemaUris: 'x' }],
  ['sessionId', 'getDecisionReceipt', ''],
  ['deadlineMs', 'getDecisionReceipt', id, { deadlineMs: 0 }],
  ['candidate', 'whatIfReplay', id],
  ['policyId', 'whatIfReplay', id, { ...policy, policyId: ' ' }],
  ['envelope', 'send'],
  ['envelope', 'send', { payload: TEXT }],
  ['sessionId', 'subscribe', ''],
  ['afterSequence', 'subscribe', id, { afterSequence: -1 }],
  ['signal', 'subscribe', id, { signal: 7 }],
  ['auth', 'openStream', { auth: 'alice' }],
  ['input', 'sendSignal'],
  ['signalType', 'sendSignal', { signalType: ' ' }],
  ['confidence', 'sendSignal', { signalType: 's', confidence: 1.1 }],
  ['data', 'sendSignal', { signalType: 's', data: TEXT }],
  ['input', 'sendProgress'],
  ['progressToken', 'sendProgress', { progressToken: '', progress: 1, total: 2 }],
  ['progress', 'sendProgress', { progressToken: 't', progress: 'half', total: 2 }],
  ['total', 'sendProgress', { progressToken: 't', progress: 1 }],
  ['message', 'sendProgress', { progressToken: 't', progress: 1, total: 2, message: 7 }],
];

const named = ([argument, method, ...args]: Case) => ({
  argument,
  method,
  args,
  shown: JSON.stringify(args)?.slice(0, 60),
});

describe('before the network', () => {
  const cases = { HANDOFF, DECISION, PROPOSAL, TASK, QUORUM, MULTI_ROUND };
  for (const [index, [name, Session]] of Object.entries(MODES).entries())
    describe(`a session in ${name} Mode`, () => {
      const rows = (Object.values(cases)[index] ?? []).map(named);
      it.each(rows)('$method names $argument: $shown', ({ argument, method, args }) =>
        refused(argument, () => call(new Session(client, { retry: false }), method, args)),
      );
    });

  describe('a client', () => {
    it.each(CLIENT.map(named))('$method names $argument: $shown', ({ argument, method, args }) =>
      refused(argument, () => call(client, method, args)),
    );
  });

  it.each([
    ['sessionId', { sessionId: 'short' }],
    ['sessionId', { sessionId: '' }],
    ['sessionId', { sessionId: 'F47AC10B-58CC-4372-A567-0E02B2C3D479' }],
    ['sessionId', { sessionId: '6f1c2a7e-3b54-1c1d-9e0a-1f2b3c4d5e6f' }],
    ['modeVersion', { modeVersion: '2.0.0' }],
    ['modeVersion', { modeVersion: '' }],
    ['configurationVersion', { configurationVersion: ' ' }],
    ['policyVersion', { policyVersion: '' }],
    ['auth', { auth: 'alice' }],
    ['retry', { retry: true }],
    ['retry.maxRetries', { retry: { maxRetries: 'x' } }],
    ['retry.backoffBase', { retry: { backoffBase: -1 } }],
    ['retry.retryableCodes', { retry: { retryableCodes: ['RATE_LIMITED'] } }],
  ])('a session names its %s: %j', (argument, options) =>
    refused(argument, () => new HandoffSession(client, options as object)),
  );

  it.each([
    ['options', undefined],
    ['address', { address: 7 }],
    ['defaultDeadlineMs', { address: 'localhost:1', defaultDeadlineMs: -1 }],
    ['auth', { address: 'localhost:1', auth: 'alice' }],
    ['clientName', { address: 'localhost:1', clientName: 7 }],
  ])('a new client names its %s: %j', (argument, options) =>
    refused(argument, () => Reflect.construct(MacpClient, [options])),
  );

  it.each([
    ['agentId', () => Auth.devAgent(undefined as never)],
    ['token', () => Auth.bearer(7 as never)],
    ['predicate', () => acceptWhen(undefined as never)],
    ['isBusy', () => declineWhenBusy(true as never)],
    ['options', () => escalate(undefined as never)],
    ['targets', () => escalate({ targets: 'bob', policy } as never)],
    ['policy', () => escalate({ targets: ['bob'] } as never)],
    ['options', () => new Participant(undefined as never)],
    ['client', () => new Participant({ participantId: 'bob', sessionId: id } as never)],
    ['options', () => new HandoffWorker(undefined as never)],
    ['client', () => new HandoffWorker({ decide: () => true } as never)],
    ['decide', () => new HandoffWorker({ client } as never)],
    ['onAnswered', () => new HandoffWorker({ client, decide: () => true, onAnswered: 7 } as never)],
  ])('%s: %s', (argument, make) => refused(argument, make));

  it.each([
    ['macpVersion', { macpVersion: '2.0' }],
    ['messageType', { messageType: '' }],
    ['messageId', { messageId: '' }],
    ['payload', { payload: { handoffId: 7 } }],
    ['timestampUnixMs', { timestampUnixMs: 1.5 }],
  ])('an envelope names its %s', (argument, change) => {
    const payload = new Uint8Array(0);
    const base = { mode: 'macp.mode.handoff.v1', messageType: 'HandoffOffer', sessionId: id, payload };
    return refused(argument, () => buildEnvelope({ ...base, ...change } as never));
  });

  it.each([
    ['path', () => fromBootstrap('/no/such/file')],
    ['path', () => fromBootstrap(7 as never)],
    ['rules', () => buildHandoffPolicy('p', '', null as never)],
    ['rules.acceptance', () => buildHandoffPolicy('p', '', { acceptance: 'never' } as never)],
    ['description', () => buildHandoffPolicy('p', 7 as never)],
    ['rules.voting', () => buildDecisionPolicy('p', '', { voting: 'majority' } as never)],
    ['rules.acceptance', () => buildProposalPolicy('p', '', { acceptance: 'all_parties' } as never)],
    ['rules.completion', () => buildTaskPolicy('p', '', { completion: true } as never)],
    ['rules.threshold', () => buildQuorumPolicy('p', '', { threshold: 2 } as never)],
    ['level', () => configureLogging({ level: 'loud' as never })],
    ['sink', () => configureLogging({ sink: 'stderr' as never })],
    ['reconnect.baseMs', () => watching({ baseMs: -1 })],
    ['reconnect.maxAttempts', () => watching({ maxAttempts: 'x' })],
  ])('%s: %s', (argument, make) => refused(argument, make));

  it('a payload that cannot be written, and a message type that is not of the mode', async () => {
    await refused('payload', () => serializeMessage('HandoffOffer', { scope: 7 } as never));
    await refused('messageType', () => serializeMessage('Vote' as never, {} as never));
    await refused('action', () => buildCommitmentPayload({ action: 7 } as never));
  });

  it('accepts what is right', () => {
    validateSessionId('01JCABCDEFGHJKMNPQRSTVWXYZ');
    validateTtlMs(86_400_000);
    validateParticipants(['a', 'b']);
    validateConfidence(0);
  });
});

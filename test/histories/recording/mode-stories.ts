/** Sessions of the modes beside Handoff: each message of each, and each way to an end. */
import { findPayload, type JsonObject } from '@handover/core';
import { nodeCodec } from '../../../packages/server/src/platform/node-codec.js';
import { sessionRef } from '../../../packages/server/src/services/stream-refs.js';
import { commitmentPayload, envelopeOf, startPayload } from '../../kit/envelopes.js';
import { createWorld, type World } from '../../kit/world.js';
import type { Stories } from './story.js';

/** Fields that are not given have protobuf's defaults. */
type Said = readonly [sender: string, type: string, fields?: object];
type Control = 'suspend' | 'resume' | 'cancel' | 'wait';
const CONTROLS: readonly string[] = ['suspend', 'resume', 'cancel', 'wait'] satisfies Control[];

interface Told {
  readonly mode: string;
  readonly participants?: readonly string[];
  readonly rules?: JsonObject;
  readonly said: readonly Said[];
}

const text = (words: string) => nodeCodec.utf8(words);
const yes: Said = ['owner', 'Commitment', { action: 'done', outcomePositive: true }];
const no: Said = ['owner', 'Commitment', { action: 'left', outcomePositive: false }];

const DECISION = 'macp.mode.decision.v1';
const proposal: Said = ['a', 'Proposal', { proposalId: 'p', option: 'go', supportingData: text('why') }];
const critical: Said = ['b', 'Objection', { proposalId: 'p', severity: 'critical', reason: 'no' }];

const PROPOSAL = 'macp.mode.proposal.v1';
const offered: Said = [
  'a',
  'Proposal',
  { proposalId: 'p', title: 't', details: text('d'), tags: ['x', 'y'] },
];
const counter: Said = ['b', 'CounterProposal', { proposalId: 'q', supersedesProposalId: 'p', title: 't' }];

const TASK = 'macp.mode.task.v1';
const task: Said = ['owner', 'TaskRequest', { taskId: 't', title: 'work', input: text('in') }];
const taken: Said = ['a', 'TaskAccept', { taskId: 't', assignee: 'a' }];

const QUORUM = 'macp.mode.quorum.v1';
const asked: Said = ['owner', 'ApprovalRequest', { requestId: 'r', action: 'deploy', requiredApprovals: 2 }];
const ballot = (sender: string, type: string): Said => [sender, type, { requestId: 'r', reason: 'so' }];

const MULTI_ROUND = 'ext.multi_round.v1';
const value = (sender: string, word: string): Said => [sender, 'Contribute', { value: word }];

const TOLD: Readonly<Record<string, Told>> = {
  'decision/voted': {
    mode: DECISION,
    rules: { voting: { algorithm: 'weighted', threshold: 0.6, weights: { a: 2, b: 1, owner: 1 } } },
    said: [
      proposal,
      ['b', 'Proposal', { proposalId: 'q', option: 'stay' }],
      ['b', 'Evaluation', { proposalId: 'p', recommendation: 'APPROVE', confidence: 0.75 }],
      ['owner', 'Objection', { proposalId: 'q', severity: 'low' }],
      ['a', 'Vote', { proposalId: 'p', vote: 'APPROVE' }],
      ['b', 'Vote', { proposalId: 'q', vote: 'REJECT' }],
      ['owner', 'Vote', { proposalId: 'p', vote: 'ABSTAIN' }],
      yes,
    ],
  },
  'decision/declined-after-a-veto': {
    mode: DECISION,
    rules: {
      objection_handling: { critical_severity_vetoes: true, critical_objection_action: 'finalize_decline' },
    },
    said: [proposal, critical, no],
  },
  'decision/nobody-speaks': { mode: DECISION, participants: [], said: [['owner', 'wait']] },
  'proposal/countered-and-accepted': {
    mode: PROPOSAL,
    said: [
      offered,
      counter,
      ['a', 'Accept', { proposalId: 'p' }],
      ...['a', 'b', 'owner'].map((sender): Said => [sender, 'Accept', { proposalId: 'q', reason: 'fine' }]),
      yes,
    ],
  },
  'proposal/rejected-for-good': {
    mode: PROPOSAL,
    said: [offered, ['b', 'Reject', { proposalId: 'p', terminal: true, reason: 'never' }], no],
  },
  'proposal/withdrawn-then-cancelled': {
    mode: PROPOSAL,
    said: [
      offered,
      counter,
      ['b', 'Accept', { proposalId: 'p' }],
      ['b', 'Reject', { proposalId: 'p', terminal: true }],
      ['a', 'Withdraw', { proposalId: 'p' }],
      ['owner', 'cancel'],
    ],
  },
  'task/completed': {
    mode: TASK,
    rules: { completion: { require_output: true } },
    said: [
      task,
      taken,
      ['a', 'TaskUpdate', { taskId: 't', status: 'half', progress: 0.5, partialOutput: text('o') }],
      ['a', 'TaskComplete', { taskId: 't', assignee: 'a', output: text('out'), summary: 's' }],
      yes,
    ],
  },
  'task/given-back-and-failed': {
    mode: TASK,
    rules: { assignment: { allow_reassignment_on_reject: true } },
    said: [
      task,
      taken,
      ['a', 'TaskReject', { taskId: 't', reason: 'too much' }],
      ['b', 'TaskAccept', { taskId: 't' }],
      ['owner', 'suspend'],
      ['owner', 'resume'],
      ['b', 'TaskFail', { taskId: 't', errorCode: 'E', reason: 'broken', retryable: true }],
      no,
    ],
  },
  'task/declined-by-the-one-it-was-for': {
    mode: TASK,
    said: [
      ['owner', 'TaskRequest', { taskId: 't', requestedAssignee: 'a', deadlineUnixMs: 1 }],
      ['a', 'TaskReject', { taskId: 't', assignee: 'a' }],
      no,
    ],
  },
  'quorum/approved': {
    mode: QUORUM,
    said: [asked, ballot('a', 'Approve'), ballot('owner', 'Abstain'), ballot('b', 'Approve'), yes],
  },
  'quorum/out-of-reach': {
    mode: QUORUM,
    rules: { threshold: { type: 'percentage', value: 67 } },
    said: [asked, ballot('a', 'Approve'), ballot('b', 'Reject'), no],
  },
  'multi-round/converged': {
    mode: MULTI_ROUND,
    participants: ['a', 'b'],
    said: [value('a', 'x'), value('b', 'y'), value('a', 'x'), value('a', 'y'), yes],
  },
  'multi-round/expired-while-suspended': {
    mode: MULTI_ROUND,
    said: [value('a', 'x'), ['owner', 'suspend'], ['owner', 'wait']],
  },
};

async function send(
  world: World,
  id: string,
  mode: string,
  [sender, type, fields = {}]: Said,
): Promise<void> {
  world.clock.now += 10;
  const kind = findPayload(mode, type);
  if (!kind) throw new Error(`${mode} has no ${type}`);
  const defaults =
    type === 'Commitment' ? commitmentPayload() : (nodeCodec.decode(kind, new Uint8Array(0)) as object);
  const payload = nodeCodec.encode(kind, { ...defaults, ...fields });
  const ack = await world.send(envelopeOf(id, sender, type, payload, { mode }));
  if (!ack.ok) throw new Error(`${type}: ${ack.error?.message}`);
}

async function tell(world: World, id: string, { mode, participants, rules, said }: Told): Promise<void> {
  const owner = world.principal('owner');
  const policy = { policyId: 'policy.story', mode, description: '', schemaVersion: 3, rules: rules ?? {} };
  const flaw = await world.services.registries.registerPolicy(owner, policy);
  if (flaw) throw new Error(flaw.message);
  const start = startPayload({ ...(participants && { participants }), policyVersion: policy.policyId });
  await send(world, id, mode, ['owner', 'SessionStart', start]);
  for (const one of said) {
    const [, type] = one;
    if (!CONTROLS.includes(type)) await send(world, id, mode, one);
    else {
      // Beyond the deadline of a session, and beyond the time that one may be suspended.
      world.clock.now += type === 'wait' ? 8 * 86_400_000 : 1_000;
      if (type !== 'wait')
        await world.services.sessions.control(owner, id, type as Exclude<Control, 'wait'>, 'because');
    }
  }
}

const about =
  (told: Told): Stories[string] =>
  async (name) => {
    const world = createWorld();
    const id = `history-${name.replace('/', '-')}`.padEnd(22, '-');
    await tell(world, id, told);
    // What is due is recorded first.
    await world.state(id);
    const ref = sessionRef('default', id);
    return [{ name, ref, entries: await world.store.read(ref, 0, { entries: 1_000, bytes: 1e9 }) }];
  };

export const modeStories: Stories = Object.fromEntries(
  Object.entries(TOLD).map(([name, told]) => [name, about(told)]),
);

/** What-if replay of the modes beside Decision and Handoff: what another policy would have made of a session that went well. */
import {
  findPayload,
  type JsonObject,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  QUORUM_MODE,
  TASK_MODE,
} from '@handover/core';
import { pb } from '@handover/wire';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { commitmentPayload, envelopeOf, startPayload } from '../../../../../../test/kit/envelopes.js';
import { nodeCodec as codec } from '../../../platform/node-codec.js';
import { newSession } from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

/** Fields that are not given have protobuf's defaults. */
type Said = readonly [sender: string, type: string, fields: object];
/** Of each message that comes out otherwise: its type, the code of its refusal, and of a denial its codes. */
type Otherwise = readonly [type: string, code: string, ...denials: string[]];

const commitment = (outcomePositive = true): Said => [
  'alice',
  'Commitment',
  commitmentPayload({ action: 'done', outcomePositive }),
];
const accept = (sender: string, proposalId: string): Said => [sender, 'Accept', { proposalId }];
const counter = (proposalId: string): Said => [
  'bob',
  'CounterProposal',
  { proposalId, supersedesProposalId: 'p' },
];
const ballot = (sender: string, type: string): Said => [sender, type, { requestId: 'r' }];
const PROPOSED: Said = ['alice', 'Proposal', { proposalId: 'p' }];
const TASK: Said = ['alice', 'TaskRequest', { taskId: 't' }];
const ASKED: Said = ['alice', 'ApprovalRequest', { requestId: 'r', action: 'a', requiredApprovals: 1 }];

const CASES: readonly (readonly [
  what: string,
  mode: string,
  rules: { readonly own: JsonObject; readonly candidate: JsonObject },
  said: readonly Said[],
  otherwise: readonly Otherwise[],
])[] = [
  [
    'a counter-proposal too many falls away, and what was agreed on with it',
    PROPOSAL_MODE,
    { own: {}, candidate: { counter_proposal: { max_rounds: 1 } } },
    [PROPOSED, counter('q'), counter('r'), accept('alice', 'r'), accept('bob', 'r'), commitment()],
    [
      ['CounterProposal', 'INVALID_ENVELOPE'],
      ['Accept', 'INVALID_ENVELOPE'],
      ['Accept', 'INVALID_ENVELOPE'],
      // Nothing that stands was agreed on: the mode says so before the policy could (criterion_not_met).
      ['Commitment', 'INVALID_ENVELOPE'],
    ],
  ],
  [
    'one too many that nobody accepted changes nothing at the end',
    PROPOSAL_MODE,
    { own: {}, candidate: { counter_proposal: { max_rounds: 1 } } },
    [PROPOSED, counter('q'), counter('r'), accept('alice', 'q'), accept('bob', 'q'), commitment()],
    [['CounterProposal', 'INVALID_ENVELOPE']],
  ],
  [
    'the initiator alone was not enough where all parties are asked',
    PROPOSAL_MODE,
    { own: { acceptance: { criterion: 'initiator' } }, candidate: {} },
    [PROPOSED, accept('alice', 'p'), commitment()],
    [['Commitment', 'INVALID_ENVELOPE']],
  ],
  [
    'work without an output is denied where one is required',
    TASK_MODE,
    { own: {}, candidate: { completion: { require_output: true } } },
    [TASK, ['bob', 'TaskAccept', { taskId: 't' }], ['bob', 'TaskComplete', { taskId: 't' }], commitment()],
    [['Commitment', 'POLICY_DENIED', 'output_required']],
  ],
  [
    'work is not given back where it may not be, and stays with whom it was',
    TASK_MODE,
    { own: { assignment: { allow_reassignment_on_reject: true } }, candidate: {} },
    [
      TASK,
      ['bob', 'TaskAccept', { taskId: 't' }],
      ['bob', 'TaskReject', { taskId: 't' }],
      ['carol', 'TaskAccept', { taskId: 't' }],
      ['carol', 'TaskFail', { taskId: 't' }],
      commitment(false),
    ],
    [
      ['TaskReject', 'POLICY_DENIED', 'reassignment_not_allowed'],
      ['TaskAccept', 'INVALID_ENVELOPE'],
      ['TaskFail', 'FORBIDDEN'],
      ['Commitment', 'INVALID_ENVELOPE'],
    ],
  ],
  [
    'one approval is less than two thirds',
    QUORUM_MODE,
    { own: {}, candidate: { threshold: { type: 'percentage', value: 66 } } },
    [ASKED, ballot('bob', 'Approve'), commitment()],
    [['Commitment', 'INVALID_ENVELOPE']],
  ],
  [
    'no ballot is decided otherwise, whatever the threshold',
    QUORUM_MODE,
    { own: { threshold: { value: 2 } }, candidate: { threshold: { value: 1 } } },
    [ASKED, ballot('bob', 'Approve'), ballot('carol', 'Approve'), commitment()],
    [],
  ],
  [
    'nothing, since no policy governs who commits',
    MULTI_ROUND_MODE,
    { own: {}, candidate: { commitment: { authority: 'designated_role', designated_roles: ['bob'] } } },
    [
      ...['x', 'y'].map((value): Said => ['bob', 'Contribute', { value }]),
      ['alice', 'Contribute', { value: 'y' }],
      ['carol', 'Contribute', { value: 'y' }],
      commitment(),
    ],
    [],
  ],
];

let world: World;
let count = 0;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function say(id: string, mode: string, [sender, type, fields]: Said): Promise<void> {
  const kind = findPayload(mode, type);
  if (!kind) throw new Error(`${mode} has no ${type}`);
  const defaults = codec.decode(kind, new Uint8Array(0)) as object;
  const envelope = envelopeOf(id, sender, type, codec.encode(kind, { ...defaults, ...fields }), { mode });
  const credential = { authorization: `Bearer ${sender}-token` };
  const ack = await world.services.send.send(credential, envelope, { door: 'test' });
  expect(ack.error, type).toBeUndefined();
}

const denialsOf = (details: Uint8Array | undefined): readonly string[] =>
  details && details.length > 0
    ? (JSON.parse(Buffer.from(details).toString()) as { denials: { code: string }[] }).denials.map(
        ({ code }) => code,
      )
    : [];

it.each(CASES)(
  `${verifies('macp-2026:15:outcomes', 'macp-2026:15:denials')}%s (%s)`,
  async (_, mode, rules, said, otherwise) => {
    const policyId = `policy.${count++}`;
    const policyDescriptor = { policyId, mode, schemaVersion: 3, rules: JSON.stringify(rules.own) };
    expect(await world.client('admin').call('registerPolicy', { policyDescriptor })).toMatchObject({
      error: '',
    });
    const id = newSession();
    const participants = ['alice', 'bob', 'carol'].slice(0, mode === PROPOSAL_MODE ? 2 : 3);
    await say(id, mode, ['alice', 'SessionStart', startPayload({ participants, policyVersion: policyId })]);
    for (const one of said) await say(id, mode, one);

    const candidate = {
      policyId: 'policy.what-if',
      mode,
      schemaVersion: 3,
      rules: JSON.stringify(rules.candidate),
    };
    const answer = await world.client('alice').call('whatIfReplay', { sessionId: id, candidate });
    const differing = answer.entries.filter(
      ({ candidate: one }) => one?.kind !== pb.WhatIfEntryOutcome_Kind.APPLIED,
    );
    expect(
      differing.map(({ messageType, candidate: one }) => [
        messageType,
        one?.errorCode,
        ...denialsOf(one?.details),
      ]),
    ).toEqual(otherwise);
    expect(answer.firstDivergence).toBe(differing[0]?.historyIndex);
    expect(answer.denials.map(({ details }) => denialsOf(details))).toEqual(
      otherwise.flatMap(([, code, ...codes]) => (code === 'POLICY_DENIED' ? [codes] : [])),
    );
    expect(answer.recorded?.state).toBe(pb.SessionState.RESOLVED);
    const isOpen = otherwise.some(([type]) => type === 'Commitment');
    expect(answer.candidate?.state).toBe(isOpen ? pb.SessionState.OPEN : pb.SessionState.RESOLVED);
  },
);

/** Ids that a message brings into a session: not only those of handoffs have bounds. */
import { expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { ModeSession } from './mode-session.test.helper.js';
import type { ModeName } from './registry.js';

type Said = readonly [mode: ModeName, sender: string, type: string, field: string, more: object];

const INTRODUCED: readonly Said[] = [
  ['macp.mode.decision.v1', 'a', 'Proposal', 'proposalId', { option: 'o' }],
  ['macp.mode.proposal.v1', 'a', 'Proposal', 'proposalId', {}],
  ['macp.mode.task.v1', 'owner', 'TaskRequest', 'taskId', {}],
  ['macp.mode.handoff.v1', 'owner', 'HandoffOffer', 'handoffId', { targetParticipant: 'a', scope: 's' }],
  ['macp.mode.quorum.v1', 'owner', 'ApprovalRequest', 'requestId', { requiredApprovals: 1 }],
];

it.each(INTRODUCED)(
  `${verifies('decision:ids:introduced')}%s: %s introduces in %s a %s of 1 to 256 bytes without control characters`,
  (mode, sender, type, field, more) => {
    const answer = (id: string) => new ModeSession({ mode }).say(sender, type, { ...more, [field]: id });
    for (const id of ['x', 'é'.repeat(128), 'x'.repeat(256)]) expect(answer(id)).toBe('ok');
    for (const id of ['', 'x'.repeat(257), 'é'.repeat(129), 'a\nb', 'a\u0000'])
      expect([id, answer(id)]).toEqual([id, 'INVALID_ENVELOPE']);
  },
);

it(`${verifies('decision:ids:introduced')}a counter-proposal introduces one, too`, () => {
  const on = new ModeSession({ mode: 'macp.mode.proposal.v1' });
  expect(on.say('a', 'Proposal', { proposalId: 'p' })).toBe('ok');
  const counter = (proposalId: string) =>
    on.say('b', 'CounterProposal', { proposalId, supersedesProposalId: 'p' });
  expect(counter('x'.repeat(257))).toBe('INVALID_ENVELOPE');
  expect(counter('x'.repeat(256))).toBe('ok');
});

/** A session of each mode that can go on for long, with a text of the same length in each of its messages. */
import {
  DECISION_MODE,
  type Envelope,
  HANDOFF_MODE,
  type ModeName,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  QUORUM_MODE,
  TASK_MODE,
} from '@handover/core';
import { context, offer } from '../kit/envelopes.js';
import { sayIn, startIn } from '../kit/mode-envelopes.js';

const TEXT = 'x'.repeat(300);
const NOTHING = new Uint8Array(0);

export interface Talk {
  readonly mode: ModeName;
  readonly messageType: string;
  readonly participants: readonly string[];
  /** What comes after SessionStart, before anything is measured. */
  open(sessionId: string): readonly Envelope[];
  /** The n-th message that is measured, from 0. */
  message(sessionId: string, n: number): Envelope;
  /** After so many the session takes no more of them. */
  readonly most: number;
}

export const startOf = (sessionId: string, { mode, participants }: Talk): Envelope =>
  startIn(mode, sessionId, 'owner', participants);

const FEW = ['owner', 'a', 'b'];
const MANY = Array.from({ length: 400 }, (_, n) => `p${n}`);
const decision = sayIn(DECISION_MODE);
const proposal = sayIn(PROPOSAL_MODE);
const task = sayIn(TASK_MODE);
const quorum = sayIn(QUORUM_MODE);
const rounds = sayIn(MULTI_ROUND_MODE);
const plan = { proposalId: 'p', title: 't', summary: 's', details: NOTHING, tags: [] };

export const HANDOFF_TALK: Talk = {
  mode: HANDOFF_MODE,
  messageType: 'HandoffContext',
  participants: FEW,
  open: (id) => [offer(id, 'h1', 'a')],
  message: (id) => context(id, 'h1', TEXT),
  most: Number.POSITIVE_INFINITY,
};

export const OTHER_TALKS: readonly Talk[] = [
  {
    mode: DECISION_MODE,
    messageType: 'Evaluation',
    participants: FEW,
    open: (id) => [
      decision(id, 'a', 'Proposal', {
        proposalId: 'p',
        option: 'o',
        rationale: '',
        supportingData: NOTHING,
      }),
    ],
    message: (id) =>
      decision(id, 'b', 'Evaluation', {
        proposalId: 'p',
        recommendation: 'APPROVE',
        confidence: 0.5,
        reason: TEXT,
      }),
    most: Number.POSITIVE_INFINITY,
  },
  {
    mode: PROPOSAL_MODE,
    messageType: 'Accept',
    participants: FEW,
    open: (id) => [proposal(id, 'a', 'Proposal', plan)],
    message: (id) => proposal(id, 'b', 'Accept', { proposalId: 'p', reason: TEXT }),
    most: Number.POSITIVE_INFINITY,
  },
  {
    mode: TASK_MODE,
    messageType: 'TaskUpdate',
    participants: FEW,
    open: (id) => [
      task(id, 'owner', 'TaskRequest', {
        taskId: 't',
        title: 't',
        instructions: '',
        requestedAssignee: 'a',
        input: NOTHING,
        deadlineUnixMs: 0,
      }),
      task(id, 'a', 'TaskAccept', { taskId: 't', assignee: '', reason: '' }),
    ],
    message: (id) =>
      task(id, 'a', 'TaskUpdate', {
        taskId: 't',
        status: 'working',
        progress: 0.5,
        message: TEXT,
        partialOutput: NOTHING,
      }),
    most: Number.POSITIVE_INFINITY,
  },
  {
    mode: QUORUM_MODE,
    messageType: 'Approve',
    participants: MANY,
    open: (id) => [
      quorum(id, 'owner', 'ApprovalRequest', {
        requestId: 'r',
        action: 'a',
        summary: '',
        details: NOTHING,
        requiredApprovals: MANY.length,
      }),
    ],
    message: (id, n) => quorum(id, `p${n}`, 'Approve', { requestId: 'r', reason: TEXT }),
    most: MANY.length,
  },
  {
    mode: MULTI_ROUND_MODE,
    messageType: 'Contribute',
    participants: FEW,
    open: () => [],
    message: (id, n) => rounds(id, 'a', 'Contribute', { value: `${n}${TEXT}` }),
    most: Number.POSITIVE_INFINITY,
  },
];

/**
 * Which quota a request falls under, for every door: one table.
 *
 * Q1. Answers, claims, Commitments, cancelling and resuming are never refused because of other messages or of stored bytes. Somebody
 *     waits for each of them, and refusing one would leave a handoff hanging that everybody else has agreed to.
 * Q2. They are free while they change something: the rules take each of them once. Those that change nothing (refused,
 *     repeated, about nothing that exists) share a bucket of their own, as large as the one of messages, so that an
 *     endless stream of them ends with RATE_LIMITED.
 * Q3. Their bytes are counted, and never refused. Each belongs to a session or an operation that was within the quota
 *     when it was made.
 * Q4. Suspending is a message: nobody waits for it, and a session can be suspended a thousand times. So there are no more
 *     resumptions than the quotas let somebody suspend.
 */
import {
  Control,
  CoreMessageType,
  DECISION_MODE,
  type Envelope,
  HANDOFF_MODE,
  type ModeName,
  type ModePayloads,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  QUORUM_MODE,
  TASK_MODE,
} from '@handover/core';
import { RateBucket } from '../auth/rate-limiter.js';

const { SESSION_START, MESSAGE, ANSWER } = RateBucket;
type Quotas<Name extends PropertyKey> = Readonly<Record<Name, RateBucket>>;

/** Of the types that a client may send in every mode. */
export const CORE_QUOTAS: Quotas<'SessionStart' | 'Commitment' | 'Signal' | 'Progress'> = {
  [CoreMessageType.SessionStart]: SESSION_START,
  [CoreMessageType.Commitment]: ANSWER,
  [CoreMessageType.Signal]: MESSAGE,
  [CoreMessageType.Progress]: MESSAGE,
};

/**
 * Of each built-in mode's own types. An answer is what a sender can say once, or once of each thing asked; what can be said
 * again and again (an Accept of Proposal Mode replaces the one before) is a message. A mode without its row does not compile. Types of extension modes are messages.
 */
export const MODE_QUOTAS: { readonly [M in ModeName]: Quotas<keyof ModePayloads[M]> } = {
  [DECISION_MODE]: { Proposal: MESSAGE, Evaluation: MESSAGE, Objection: MESSAGE, Vote: ANSWER },
  [PROPOSAL_MODE]: {
    Proposal: MESSAGE,
    CounterProposal: MESSAGE,
    Accept: MESSAGE,
    Reject: MESSAGE,
    Withdraw: MESSAGE,
  },
  [TASK_MODE]: {
    TaskRequest: MESSAGE,
    TaskAccept: ANSWER,
    TaskReject: ANSWER,
    TaskUpdate: MESSAGE,
    TaskComplete: ANSWER,
    TaskFail: ANSWER,
  },
  [QUORUM_MODE]: { ApprovalRequest: MESSAGE, Approve: ANSWER, Reject: ANSWER, Abstain: ANSWER },
  [MULTI_ROUND_MODE]: { Contribute: MESSAGE },
  [HANDOFF_MODE]: {
    HandoffOffer: MESSAGE,
    HandoffContext: MESSAGE,
    HandoffAccept: ANSWER,
    HandoffDecline: ANSWER,
  },
};

export const CONTROL_QUOTAS: Quotas<Control> = {
  [Control.Cancel]: ANSWER,
  [Control.Suspend]: MESSAGE,
  [Control.Resume]: ANSWER,
};

/** Of the tools that write to handoffs and working sessions. */
export const HANDOFF_QUOTAS = {
  registerSession: MESSAGE,
  updateContext: MESSAGE,
  requestHandoff: SESSION_START,
  handOff: SESSION_START,
  pickUp: SESSION_START,
  takeOver: SESSION_START,
  park: MESSAGE,
  closeSession: MESSAGE,
  reopenSession: MESSAGE,
  sendHandoffContext: MESSAGE,
  acceptHandoff: ANSWER,
  declineHandoff: ANSWER,
  commitHandoff: ANSWER,
  cancelHandoff: ANSWER,
} as const satisfies Quotas<string>;
export type HandoffTool = keyof typeof HANDOFF_QUOTAS;

/**
 * Of what agents do with operations. What a page posts falls under no quota of an agent: the person has its secret, and
 * the door of the pages has limits of its own.
 */
export const OPERATION_QUOTAS: Quotas<'create' | 'read' | 'cancel'> = {
  create: MESSAGE,
  read: MESSAGE,
  cancel: ANSWER,
};

export function quotaOf({ mode, messageType }: Pick<Envelope, 'mode' | 'messageType'>): RateBucket {
  const own = find<Readonly<Record<string, RateBucket>>>(MODE_QUOTAS, mode);
  return find(CORE_QUOTAS, messageType) ?? (own && find(own, messageType)) ?? MESSAGE;
}

/** Agents choose these names, and `constructor` is a member of any object. */
function find<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

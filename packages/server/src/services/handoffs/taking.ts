/**
 * Work that moves at the word of the one who gets it: picked up where its owner left it for others, or taken over from a
 * silent owner. Note, start, offer, package and acceptance are one submission, and with the acceptance it is final.
 */
import {
  Control,
  HandoffMessageType,
  handoffPayloads,
  OPERATOR,
  ownMessageId,
  policyText,
  type Rejection,
  type SessionBinding,
  type Step,
  type StreamRef,
  silentSince,
  type TakeOver,
  takeOverReason,
  type WorklogState,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { HandoffTool } from '../quotas.js';
import { policiesRef } from '../stream-refs.js';
import { submit } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import { OFFER_ID } from './ids.js';
import { type Message, message } from './messages.js';
import { moveMessages } from './move-messages.js';
import { payloadOf } from './payloads.js';

export interface Taking {
  readonly session: StreamRef<'session'>;
  readonly worklog: { readonly ref: StreamRef<'worklog'>; readonly state: WorklogState };
  readonly requestType: string;
  /** The one who gets the work. It asks itself, unless a person asks for it. */
  readonly taker: string;
  readonly reason: string;
  /** By this instruction of the owner, */
  readonly standing?: number;
  /** or by the operator's policy. */
  readonly takeOver?: TakeOver;
  /** The handoff under way that gives way. */
  readonly instead?: StreamRef<'session'>;
  /** What else happens with it. */
  readonly besides?: readonly Step<'worklog'>[];
}

/** The refusal, if there is one; otherwise the work has moved. */
export async function submitTaking(
  deps: HandoffDependencies,
  principal: Principal,
  tool: HandoffTool,
  taking: Taking,
): Promise<Rejection | undefined> {
  const { worklog, session, taker, takeOver, instead, besides = [] } = taking;
  const binding = bindingOf(taking);
  const messages = await moveMessages(deps, {
    session,
    worklog,
    binding,
    sender: takeOver ? OPERATOR : worklog.state.owner,
    target: taker,
    requestData: {},
    reason: binding.takeOver ? takeOverReason(binding.takeOver, taker) : '',
    policy: '',
  });
  const all = [...messages, acceptance(deps, principal, taking, binding)];
  const flaw = all.find((made) => made.flaw)?.flaw;
  if (flaw) return flaw;
  const answer = await submit(deps, principal, tool, {
    agent: principal.agent,
    steps: [
      ...(instead ? [cancelling(instead, taker)] : []),
      note(deps, taking, binding),
      ...all,
      ...besides,
    ],
    consult: [policiesRef(principal.tenant, deps.policiesFromFiles)],
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  });
  return answer.ok ? undefined : answer.rejection;
}

function bindingOf({ worklog: { state }, requestType, standing, takeOver }: Taking): SessionBinding {
  const binding = { worklog: state.key, requestType, upTo: state.lastNumber, autoCommit: true };
  if (!takeOver) return { ...binding, ...(standing !== undefined && { standing }) };
  const { from, lastSignAt, policy } = takeOver;
  const since = silentSince(state, lastSignAt);
  return { ...binding, takeOver: { from, silentSince: since, policy: policyText(policy) } };
}

function note(
  deps: HandoffDependencies,
  taking: Taking,
  { requestType, upTo }: SessionBinding,
): Step<'worklog'> {
  const { worklog, session, taker, standing, takeOver, reason } = taking;
  return {
    stream: worklog.ref,
    command: {
      kind: 'requestHandoff',
      sessionId: session.id,
      handoffId: OFFER_ID,
      target: taker,
      requestType,
      upTo,
      payload: payloadOf({ targetAgent: taker, requestType, reason }, deps.codec),
      ...(standing !== undefined && { standing }),
      ...(takeOver && { takeOver }),
    },
    messageId: `request:${session.id}`,
  };
}

/** Its own word, under an id of its own; when a person speaks for it, the id says that. */
function acceptance(
  deps: HandoffDependencies,
  { agent }: Principal,
  { session, taker, reason }: Taking,
  binding: SessionBinding,
): Message {
  const written = agent === taker ? undefined : ownMessageId(binding, HandoffMessageType.Accept, session.id);
  const to = { session, sender: taker, messageId: written ?? `accept:${session.id}` };
  return message(deps, to, handoffPayloads.HandoffAccept, {
    handoffId: OFFER_ID,
    acceptedBy: taker,
    reason,
    implicit: false,
  });
}

const cancelling = (stream: StreamRef<'session'>, taker: string): Step<'session'> => ({
  stream,
  command: { kind: 'control', control: Control.Cancel, reason: `${taker} takes it over`, by: OPERATOR },
});

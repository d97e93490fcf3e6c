/**
 * The steps of a requested handoff: a note in the working session, then start, offer and package of the MACP session.
 */
import { type Chosen, CommitBy, type JsonObject, type Step, type StreamRef } from '@handover/core';
import type { Answer } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { policiesRef } from '../stream-refs.js';
import { submit } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import { OFFER_ID } from './ids.js';
import { moveMessages } from './move-messages.js';
import { payloadOf } from './payloads.js';
import type { HandoffService } from './types.js';
import { type FoundWorklog, worklogRef } from './worklogs.js';

export type RequestArgs = Parameters<HandoffService['requestHandoff']>[1];

/** When the handoff is final, and whether the owner said so. */
export interface Committing {
  readonly autoCommit: boolean;
  readonly chosen: Chosen;
}

/** The working session's note comes first, then the messages of the MACP session. */
export type StartAnswer = Answer<readonly ['worklog', ...'session'[]]>;

/** Submits everything at once: all of it happens, or nothing. */
export async function startHandoff(
  deps: HandoffDependencies,
  principal: Principal,
  session: StreamRef<'session'>,
  { ref, state, upTo }: FoundWorklog,
  args: RequestArgs,
  committing: Committing,
): Promise<StartAnswer> {
  const { sessionKey, targetAgent, requestType, requestData = {}, policy = '' } = args;
  const messages = await moveMessages(deps, {
    session,
    worklog: { ref, state },
    binding: { worklog: sessionKey, requestType, upTo, ...committing },
    sender: principal.agent,
    target: targetAgent,
    requestData,
    reason: instructionsIn(requestData),
    policy,
  });
  const flaw = messages.find((made) => made.flaw)?.flaw;
  if (flaw) return { ok: false, rejection: flaw, step: 1 };
  return submit(deps, principal, 'requestHandoff', {
    agent: principal.agent,
    steps: [worklogStep(deps, principal, session, upTo, args, committing), ...messages],
    consult: [policiesRef(principal.tenant, deps.policiesFromFiles)],
    bytes: messages.reduce((sum, { bytes }) => sum + bytes, 0),
  });
}

export function worklogStep(
  deps: HandoffDependencies,
  principal: Principal,
  session: StreamRef<'session'>,
  upTo: number,
  args: RequestArgs,
  { autoCommit, chosen }: Committing,
): Step<'worklog'> {
  const { sessionKey, targetAgent, requestType, requestData = {}, policy, expectedSequence } = args;
  const request = { targetAgent, requestType, requestData, autoCommit, ...(policy && { policy }) };
  const expected = expectedSequence === undefined ? {} : { expectedSequence };
  const payload = payloadOf({ ...request, ...expected }, deps.codec);
  return {
    stream: worklogRef(principal.tenant, sessionKey),
    command: {
      kind: 'requestHandoff',
      sessionId: session.id,
      handoffId: OFFER_ID,
      target: targetAgent,
      requestType,
      upTo,
      payload,
      rule: { commit: autoCommit ? CommitBy.OnAccept : CommitBy.Owner, chosen },
      ...expected,
    },
    messageId: `request:${session.id}`,
  };
}

function instructionsIn({ instructions }: JsonObject): string {
  return typeof instructions === 'string' ? instructions : '';
}

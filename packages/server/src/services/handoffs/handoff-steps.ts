/**
 * The steps of a requested handoff: a note in the working session, then start, offer and package of the MACP session.
 */
import { type Chosen, CommitBy, type JsonObject, ParkedBy, type Step, type StreamRef } from '@handover/core';
import type { Answer } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { policiesRef } from '../stream-refs.js';
import { submit } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import type { GatheredSession } from './gather-session.js';
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
export type StartAnswer = Answer<readonly ['worklog', ...('session' | 'worklog')[]]>;

/** Submits everything at once: all of it happens, or nothing. */
export async function startHandoff(
  deps: HandoffDependencies,
  principal: Principal,
  session: StreamRef<'session'>,
  { ref, state, upTo }: FoundWorklog,
  args: RequestArgs,
  committing: Committing,
  gathered: GatheredSession,
): Promise<StartAnswer> {
  const { sessionKey, targetAgent, requestType, requestData = {}, policy = '', expiresIn } = args;
  const expiresMs = expiresIn === undefined ? undefined : expiresIn * 1_000;
  const messages = await moveMessages(deps, {
    session,
    worklog: { ref, state },
    binding: { worklog: sessionKey, requestType, upTo, ...committing },
    sender: principal.agent,
    target: targetAgent,
    requestData,
    reason: instructionsIn(requestData),
    policy,
    gathered,
    ...(expiresMs !== undefined && { ttlMs: Math.min(expiresMs, deps.settingsNow().handoffTtlMs) }),
  });
  const flaw = messages.find((made) => made.flaw)?.flaw;
  if (flaw) return { ok: false, rejection: flaw, step: 1 };
  // Whoever wants to commit itself does not let anybody pick the work up after the offer has expired.
  const isLeft = expiresMs !== undefined && committing.autoCommit;
  const left = isLeft ? [leftStep(deps, ref, session, args, deps.now() + expiresMs)] : [];
  return submit(deps, principal, 'requestHandoff', {
    agent: principal.agent,
    steps: [worklogStep(deps, principal, session, upTo, args, committing), ...messages, ...left],
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
  const {
    sessionKey,
    targetAgent,
    requestType,
    requestData = {},
    policy,
    expectedSequence,
    expiresIn,
  } = args;
  const request = {
    ...{ targetAgent, requestType, requestData, autoCommit },
    ...(policy && { policy }),
    ...(expiresIn !== undefined && { expiresIn }),
  };
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

/** The instruction beside the offer, which outlives it. */
function leftStep(
  { codec }: HandoffDependencies,
  stream: StreamRef<'worklog'>,
  session: StreamRef<'session'>,
  { targetAgent, requestType }: RequestArgs,
  until: number,
): Step<'worklog'> {
  const payload = payloadOf({ request: session.id }, codec);
  const takers = [targetAgent] as const;
  return {
    stream,
    command: { kind: 'park', takers, requestType, until, by: ParkedBy.Owner, payload },
    messageId: `park:${session.id}`,
  };
}

function instructionsIn({ instructions }: JsonObject): string {
  return typeof instructions === 'string' ? instructions : '';
}

/**
 * The steps of a requested handoff: a note in the working session, then start, offer and package of the MACP session.
 */
import {
  bindingScope,
  corePayloads,
  HANDOFF_MODE_VERSION,
  handoffPayloads,
  isId,
  type JsonObject,
  type Step,
  type StreamRef,
} from '@handover/core';
import type { Answer } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { policiesRef } from '../stream-refs.js';
import { submit } from './admit.js';
import { buildPackage } from './build-package.js';
import type { HandoffDependencies } from './dependencies.js';
import { formatHandoffId, OFFER_ID } from './ids.js';
import { type Message, message } from './messages.js';
import { payloadOf } from './payloads.js';
import type { HandoffService } from './types.js';
import { type FoundWorklog, worklogRef } from './worklogs.js';

export type RequestArgs = Parameters<HandoffService['requestHandoff']>[1];

const CONFIGURATION_VERSION = 'config.default';

/** The working session's note comes first, then the messages of the MACP session. */
export type StartAnswer = Answer<readonly ['worklog', ...'session'[]]>;

/** Submits everything at once: all of it happens, or nothing. */
export async function startHandoff(
  deps: HandoffDependencies,
  principal: Principal,
  session: StreamRef<'session'>,
  { ref, state, upTo }: FoundWorklog,
  args: RequestArgs,
): Promise<StartAnswer> {
  const { sessionKey, targetAgent, requestType, requestData = {}, autoCommit = false } = args;
  const handoffId = formatHandoffId(session.id, OFFER_ID);
  const context = await buildPackage(deps, ref, state, upTo, {
    handoffId,
    sessionKey,
    from: principal.agent,
    to: targetAgent,
    requestType,
    requestData,
  });
  const binding = { worklog: sessionKey, requestType, upTo, autoCommit };
  const to = (name: string) => ({ session, sender: principal.agent, messageId: `${name}:${session.id}` });
  const scope = bindingScope(binding);
  const reason = instructionsIn(requestData);
  const messages: readonly Message[] = [
    message(
      deps,
      to('start'),
      corePayloads.SessionStart,
      startPayload(deps, principal, state, args),
      binding,
    ),
    message(deps, to('offer'), handoffPayloads.HandoffOffer, {
      handoffId: OFFER_ID,
      targetParticipant: targetAgent,
      scope,
      reason,
    }),
    message(deps, to('package'), handoffPayloads.HandoffContext, { handoffId: OFFER_ID, ...context }),
  ];
  const flaw = messages.find((made) => made.flaw)?.flaw;
  if (flaw) return { ok: false, rejection: flaw, step: 1 };
  return submit(deps, principal, 'requestHandoff', {
    agent: principal.agent,
    steps: [worklogStep(deps, principal, session, upTo, args), ...messages],
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
): Step<'worklog'> {
  const {
    sessionKey,
    targetAgent,
    requestType,
    requestData = {},
    autoCommit = false,
    expectedSequence,
  } = args;
  const request = { targetAgent, requestType, requestData, autoCommit };
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
      ...expected,
    },
    messageId: `request:${session.id}`,
  };
}

function startPayload(
  deps: HandoffDependencies,
  principal: Principal,
  { key, id }: FoundWorklog['state'],
  { targetAgent, requestType }: RequestArgs,
) {
  return {
    intent: `hand over: ${requestType}`,
    participants: [principal.agent, targetAgent],
    modeVersion: HANDOFF_MODE_VERSION,
    configurationVersion: CONFIGURATION_VERSION,
    policyVersion: '',
    ttlMs: deps.settingsNow().handoffTtlMs,
    roots: [],
    // All offers of one working session share this id. A key may be too long for a protocol id.
    contextId: isId(key) ? key : id,
    extensions: {},
    maxSuspendMs: 0,
  };
}

function instructionsIn({ instructions }: JsonObject): string {
  return typeof instructions === 'string' ? instructions : '';
}

/**
 * Stores where a conversation stands: one entry in its working session, and, when the conversation has ended, the
 * instruction that others may go on. All of it in one append, once for each key.
 */
import { ANYONE, ContextType, ParkedBy, RequestType, type WorklogCommand } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { submit } from './admit.js';
import type { Captured, CaptureRequest } from './capture-request.js';
import { type CaptureSession, captureSession } from './capture-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { requestId } from './ids.js';
import { payloadOf } from './payloads.js';
import { aboutSession } from './update-context.js';
import { worklogRef } from './worklogs.js';

const PARKED_MS = 7 * 86_400_000;
const ROOM_BYTES = 1_024;

export async function capture(
  deps: HandoffDependencies,
  principal: Principal,
  request: CaptureRequest,
): Promise<Outcome<Captured>> {
  const session = await captureSession(deps, principal, request);
  if (session.kind === 'none') return { value: nothing('every key of this conversation is taken') };
  if (session.kind === 'free' && !request.isWork) return { value: nothing('there is no work in it yet') };
  const { sessionKey } = session;
  const { steps, bytes } = stepsOf(deps, principal, request, session);
  const answer = await submit(deps, principal, 'updateContext', { agent: principal.agent, steps, bytes });
  if (!answer.ok) return { rejection: aboutSession(answer.rejection, sessionKey) };
  const { state, decision } = answer.results.at(-1) ?? {};
  if (!state) throw new Error('an accepted capture is not in the log');
  const parked = request.park && state.parked?.by === ParkedBy.Hook;
  const value = { stored: true, sessionKey, sequenceNumber: state.lastNumber, parked };
  return decision?.kind === 'duplicate' ? { value, replayed: true } : { value };
}

const nothing = (because: string): Captured => ({ stored: false, because });

function stepsOf(
  deps: HandoffDependencies,
  principal: Principal,
  request: CaptureRequest,
  { kind, sessionKey }: Exclude<CaptureSession, { readonly kind: 'none' }>,
) {
  const { client, clientSession, project, event, idempotencyKey, content, metadata } = request;
  const stream = worklogRef(principal.tenant, sessionKey);
  const { lifetimes } = deps.settingsNow();
  const idOf = (what: string) => requestId(principal, [what, sessionKey], idempotencyKey, deps.codec);
  const step = (what: string, command: WorklogCommand) => ({ stream, command, messageId: idOf(what) });
  const contextType = ContextType.System;
  const payload = payloadOf({ contextType, content, metadata }, deps.codec);
  const opened = payloadOf({ metadata: { handover: { client, clientSession } } }, deps.codec);
  const steps = [
    ...(kind === 'known'
      ? []
      : [
          step('captureRegister', {
            ...{ kind: 'register', id: idOf('captureRegister'), lifetimes, payload: opened },
            ...{ client, clientSession, ...(project && { project }) },
          }),
        ]),
    step('capture', {
      ...{ kind: 'addContext', entryId: idOf('capture'), contextType, payload, lifetimes },
      capture: true,
    }),
    ...(request.park
      ? [
          step('capturePark', {
            ...{ kind: 'park', takers: [ANYONE] as const, requestType: RequestType.FullHandoff },
            ...{
              until: deps.now() + PARKED_MS,
              by: ParkedBy.Hook,
              event,
              payload: payloadOf({}, deps.codec),
            },
          }),
        ]
      : []),
  ];
  return { steps, bytes: payload.length + opened.length + ROOM_BYTES };
}

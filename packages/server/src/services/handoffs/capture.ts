/**
 * Stores where a conversation stands: one entry in its working session, and, when the conversation has ended, the
 * instruction that others may go on. All of it in one append, once for each key. What was said word for word is not said again.
 */
import {
  ANYONE,
  ContextType,
  type JsonObject,
  named,
  ParkedBy,
  RequestType,
  type WorklogCommand,
  type WorklogState,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';
import type { Outcome } from '../outcome.js';
import { submit } from './admit.js';
import { BY_HAND, type Captured, type CaptureRequest, happenedAt } from './capture-request.js';
import { type CaptureSession, captureSession } from './capture-session.js';
import { isCapturedAlready } from './captured-already.js';
import type { CurrentSessions } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { requestId } from './ids.js';
import { payloadOf } from './payloads.js';
import { aboutSession } from './update-context.js';
import { worklogRef } from './worklogs.js';

const PARKED_MS = 7 * 86_400_000;
const ROOM_BYTES = 512;
const PATCH_NAME = 'uncommitted.patch';

export async function capture(
  deps: HandoffDependencies,
  current: Pick<CurrentSessions, 'find'>,
  principal: Principal,
  request: CaptureRequest,
  connection: Pick<Connection, 'transport'>,
): Promise<Outcome<Captured>> {
  const session = await captureSession(deps, current, principal, request, connection);
  if (session.kind === 'none') return { value: nothing('every key of this conversation is taken') };
  // Small talk opens no session, and is no part of one that it may have nothing to do with. Nor is work that others have been
  // given told a second time.
  if (session.kind !== 'known' && !request.isWork) return { value: nothing('there is no work in it yet') };
  if (session.kind === 'free' && session.isAfter && request.isMoreWork === false)
    return { value: nothing('its work is closed or somebody else has it, and nothing was done since') };
  const { sessionKey } = session;
  const before = (await deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
  // Work that only may be the conversation's is left when nobody else goes on with it, or when a person says so.
  const mayLeave = session.kind !== 'guessed' || session.isDeserted || request.event === BY_HAND;
  const park = request.park && mayLeave && !wentOn(before, happenedAt(request, deps.now()));
  const isSaid = await isCapturedAlready(deps, principal.tenant, before, request);
  if (before && isSaid && !park)
    return { value: { stored: true, sessionKey, sequenceNumber: before.lastNumber, parked: false } };
  const { steps, bytes } = stepsOf(deps, principal, { ...request, park }, session, isSaid);
  const answer = await submit(deps, principal, 'updateContext', { agent: principal.agent, steps, bytes });
  if (!answer.ok) return { rejection: aboutSession(answer.rejection, sessionKey) };
  const { state, decision } = answer.results.at(-1) ?? {};
  if (!state) throw new Error('an accepted capture is not in the log');
  const parked = park && state.parked?.by === ParkedBy.Hook;
  const isKept = request.event === BY_HAND && request.park && !parked;
  const kept = isKept ? { because: whyNotLeft(state) } : {};
  const value = { stored: true, sessionKey, sequenceNumber: state.lastNumber, parked, ...kept };
  return decision?.kind === 'duplicate' ? { value, replayed: true } : { value };
}

/** The end of a conversation may arrive late. Work that its owner has done something about since is not left for others. */
const wentOn = (before: WorklogState | undefined, at: number): boolean =>
  before !== undefined && before.ownerActiveAt > at && before.ownerActiveAt !== before.createdAt;

/** A hook's word gives way to its owner's. */
function whyNotLeft({ parked, pending }: WorklogState): string {
  const offer = pending.find(({ requestType }) => requestType === RequestType.FullHandoff);
  if (offer) return `it is offered to ${named(offer.target)}`;
  return parked?.by === ParkedBy.Owner ? 'its owner left it already' : 'its owner went on with it';
}

const nothing = (because: string): Captured => ({ stored: false, because });

function stepsOf(
  deps: HandoffDependencies,
  principal: Principal,
  request: CaptureRequest,
  { kind, sessionKey }: Exclude<CaptureSession, { readonly kind: 'none' }>,
  isSaid: boolean,
) {
  const { client, clientSession, project, event, idempotencyKey, content, metadata, patch } = request;
  const stream = worklogRef(principal.tenant, sessionKey);
  const { lifetimes } = deps.settingsNow();
  const idOf = (what: string) => requestId(principal, [what, sessionKey], idempotencyKey, deps.codec);
  const step = (what: string, command: WorklogCommand) => ({ stream, command, messageId: idOf(what) });
  const entry = (what: string, contextType: ContextType, said: { content: string; metadata: JsonObject }) => {
    const payload = payloadOf({ contextType, ...said }, deps.codec);
    return step(what, {
      ...{ kind: 'addContext', entryId: idOf(what), contextType, payload, lifetimes },
      capture: true,
    });
  };
  const file = { path: PATCH_NAME, contentType: 'text/x-diff', capture: { v: 1, client, clientSession } };
  const opened = payloadOf({ metadata: { handover: { client, clientSession } } }, deps.codec);
  const steps = [
    ...(kind !== 'free'
      ? []
      : [
          step('captureRegister', {
            ...{ kind: 'register', id: idOf('captureRegister'), lifetimes, payload: opened },
            ...{ client, clientSession, ...(project && { project }) },
          }),
        ]),
    ...(patch === undefined
      ? []
      : [entry('capturePatch', ContextType.File, { content: patch, metadata: file })]),
    ...(isSaid ? [] : [entry('capture', ContextType.System, { content, metadata })]),
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
  const sizeOf = ({ command }: (typeof steps)[number]) =>
    ROOM_BYTES + ('payload' in command ? command.payload.length : 0);
  return { steps, bytes: steps.reduce((sum, one) => sum + sizeOf(one), 0) };
}

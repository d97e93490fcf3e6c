/** Takes work over from a silent owner (assistants 2.3). Whether the caller may at all is asked before. */
import {
  acceptedOffer,
  offersOf,
  type PendingHandoff,
  type Rejection,
  RequestType,
  type StreamRef,
  silentSince,
  type TakeOver,
  takeOverFlaw,
  type WorklogState,
} from '@handover/core';
import { AGENT_NAME_RULE, isAgentName } from '../../auth/agent-name.js';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { HANDOFF_QUOTAS } from '../quotas.js';
import { fullFlaw, rateFlaw } from '../rate-flaw.js';
import { sessionRef } from '../stream-refs.js';
import { modeFlaw } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { requestId } from './ids.js';
import { takenHandoff } from './taken-handoff.js';
import { submitTaking } from './taking.js';
import type { HandoffService, HandoffView, TakePermit } from './types.js';
import { aboutSession } from './update-context.js';
import { sessionNotFound, worklogRef } from './worklogs.js';

type Args = Parameters<HandoffService['takeOver']>[1];

export async function takeOver(
  deps: HandoffDependencies,
  texts: HandoffTextReader,
  principal: Principal,
  args: Args,
): Promise<Outcome<HandoffView>> {
  const { sessionKey, taker = principal.agent, policy, lastSignAt, reason = '', idempotencyKey } = args;
  const flaw = takerFlaw(taker) ?? modeFlaw(principal) ?? fullFlaw(deps, principal, HANDOFF_QUOTAS.takeOver);
  if (flaw) return { rejection: flaw };
  const id = requestId(principal, ['takeOver', sessionKey], idempotencyKey, deps.codec);
  const session = sessionRef(principal.tenant, id);
  const before = await takenHandoff(deps, texts, principal, session);
  if (before) return { value: before, replayed: true };
  const ref = worklogRef(principal.tenant, sessionKey);
  const state = (await deps.engine.query(ref))?.state;
  if (!state) return { rejection: sessionNotFound(sessionKey) };
  const instead = await givingWay(deps, principal.tenant, state, taker, policy.by);
  const takeOver = { from: state.owner, lastSignAt, policy };
  const refused = args.permit && (await notPermitted(deps, args.permit, state, taker, takeOver, instead));
  if (refused) return { rejection: aboutSession(refused, sessionKey) };
  // A question that nobody answers starts no session.
  const tooMany = rateFlaw(deps, principal, HANDOFF_QUOTAS.takeOver);
  if (tooMany) return { rejection: tooMany };
  const rejection = await submitTaking(deps, principal, 'takeOver', {
    session,
    worklog: { ref, state },
    requestType: RequestType.FullHandoff,
    taker,
    reason,
    takeOver,
    ...(instead && { instead }),
  });
  if (rejection) return { rejection: aboutSession(rejection, sessionKey) };
  const value = await takenHandoff(deps, texts, principal, session);
  if (!value) throw new Error('what was taken over is not in the log');
  return { value };
}

const takerFlaw = (taker: string): Rejection | undefined =>
  isAgentName(taker) ? undefined : fieldFlaw('to', `must be ${AGENT_NAME_RULE}`);

/** Nobody is asked about what cannot be. The rules judge it once more after the answer. */
async function notPermitted(
  { now }: HandoffDependencies,
  permit: TakePermit,
  state: WorklogState,
  target: string,
  takeOver: TakeOver,
  instead: StreamRef<'session'> | undefined,
): Promise<Rejection | undefined> {
  const pending = state.pending.filter(({ sessionId }) => sessionId !== instead?.id);
  const request = { target, requestType: RequestType.FullHandoff };
  const since = silentSince(state, takeOver.lastSignAt);
  return (
    takeOverFlaw({ ...state, pending }, request, takeOver, now()) ??
    (await permit({ sessionKey: state.key, from: state.owner, silentSince: since }))
  );
}

/** An offer that the taker accepted and that the owner does not commit; to a person, every offer. */
async function givingWay(
  { engine }: HandoffDependencies,
  tenant: string,
  { pending }: WorklogState,
  taker: string,
  by: Args['policy']['by'],
): Promise<StreamRef<'session'> | undefined> {
  const full = pending.find(({ requestType }) => requestType === RequestType.FullHandoff);
  if (!full) return undefined;
  const ref = sessionRef(tenant, full.sessionId);
  return by !== 'silent' || (await isAcceptedBy(engine, ref, full, taker)) ? ref : undefined;
}

async function isAcceptedBy(
  engine: HandoffDependencies['engine'],
  ref: StreamRef<'session'>,
  { target }: PendingHandoff,
  taker: string,
): Promise<boolean> {
  const session = (await engine.query(ref))?.state;
  return target === taker && session !== undefined && acceptedOffer(offersOf(session))?.target === taker;
}

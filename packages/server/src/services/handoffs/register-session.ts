import { type Rejection, RejectionCode, reject, rejectWith, type WorklogState } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { rateFlaw, submit } from './admit.js';
import type { DeskParts } from './dependencies.js';
import { requestId } from './ids.js';
import { payloadOf } from './payloads.js';
import type { HandoffDesk, Outcome, WorklogView } from './types.js';
import { agentCheck, jsonCheck, keyCheck, refuse, sessionKeyCheck } from './validate.js';
import { type Worklogs, worklogRef } from './worklogs.js';

type Args = Parameters<HandoffDesk['registerSession']>[1];

export async function registerSession(
  parts: DeskParts,
  worklogs: Worklogs,
  who: Principal,
  args: Args,
): Promise<Outcome<WorklogView>> {
  const { sessionKey, agentFrom, metadata = {}, idempotencyKey } = args;
  const rejection =
    refuse(
      sessionKeyCheck(sessionKey),
      agentCheck('agentFrom', agentFrom),
      jsonCheck('metadata', metadata),
      keyCheck(idempotencyKey),
    ) ??
    agentFlaw(who, agentFrom) ??
    rateFlaw(parts, who);
  if (rejection) return { rejection };
  const stream = worklogRef(who.tenant, sessionKey);
  const id = requestId(who, ['registerSession', sessionKey], idempotencyKey, parts.codec);
  const payload = payloadOf({ metadata }, parts.codec);
  const { lifetimes } = parts.settingsNow();
  const command = { kind: 'register', id, lifetimes, payload };
  const step = { stream, command, ...(idempotencyKey !== undefined && { messageId: id }) };
  const bytes = payload.length + 512;
  const answer = await submit(parts, who, 'registerSession', { agent: agentFrom, steps: [step], bytes });
  if (!answer.ok) return { rejection: await existing(worklogs, who, sessionKey, answer.rejection) };
  const [result] = answer.results;
  const value = await worklogs.view(who, stream, result?.state as WorklogState);
  return result?.decision.kind === 'duplicate' ? { value, replayed: true } : { value };
}

/** Nobody speaks for another, whatever its scopes: over stdio and in dev mode everybody has all of them. */
function agentFlaw(who: Principal, agentFrom: string): Rejection | undefined {
  if (agentFrom === who.agent) return undefined;
  return reject(RejectionCode.FORBIDDEN, `agentFrom must be your own agent id, which is ${who.agent}`);
}

/** Whose key it is, only those learn who may see the session. */
async function existing(
  worklogs: Worklogs,
  who: Principal,
  sessionKey: string,
  rejection: Rejection,
): Promise<Rejection> {
  if (rejection.code !== RejectionCode.CONFLICT) return rejection;
  const found = await worklogs.find(who, sessionKey);
  if (!found) return rejectWith(rejection.code, rejection.message, { sessionKey });
  const { id, status, agentFrom, createdAt } = found.state;
  const existingSession = { id, status, agentFrom, createdAt: new Date(createdAt).toISOString() };
  return rejectWith(rejection.code, rejection.message, { sessionKey, existingSession });
}

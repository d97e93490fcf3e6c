/**
 * Withdraws what the owner of a working session has offered and left, in one submission: every open offer of it, and the
 * instruction. The owner keeps the work.
 */
import {
  Control,
  type EntryHead,
  liveInstruction,
  named,
  ParkedBy,
  type Rejection,
  RejectionCode,
  RequestType,
  rejectWith,
  type Step,
  WorklogEntryType,
  writeRefusal,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { HANDOFF_QUOTAS } from '../quotas.js';
import { answerFlaw } from '../rate-flaw.js';
import { sessionRef } from '../stream-refs.js';
import { modeFlaw, submit } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import type { FoundHandoff } from './find-handoff.js';
import { formatHandoffId } from './ids.js';
import { leftBeside } from './left-beside.js';
import { payloadOf } from './payloads.js';
import { aboutSession } from './update-context.js';
import { type FoundWorklog, type Worklogs, worklogRef } from './worklogs.js';

export interface Withdrawn {
  readonly sessionKey: string;
  /** Ids of the offers that were open. */
  readonly offers: readonly string[];
}

export async function withdraw(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  { sessionKey, reason = '' }: { readonly sessionKey: string; readonly reason?: string },
): Promise<Outcome<Withdrawn>> {
  const flaw = modeFlaw(principal) ?? answerFlaw(deps, principal, HANDOFF_QUOTAS.cancelHandoff);
  if (flaw) return { rejection: flaw };
  const found = await worklogs.find(principal, sessionKey);
  if (!found) return { rejection: await worklogs.refusal(principal, sessionKey) };
  const { state } = found;
  if (state.owner !== principal.agent) return { rejection: notOwner(found, principal) };
  const offers = state.pending.map(({ sessionId, handoffId }) => formatHandoffId(sessionId, handoffId));
  if (offers.length === 0 && !liveInstruction(state, deps.now())) return nothingLeft(deps, found);
  const cancels = state.pending.map(
    ({ sessionId }): Step<'session'> => ({
      stream: sessionRef(principal.tenant, sessionId),
      command: { kind: 'control', control: Control.Cancel, reason },
    }),
  );
  const steps: readonly (Step<'session'> | Step<'worklog'>)[] = [...cancels, unparkStep(deps, found, reason)];
  const answer = await submit(deps, principal, 'cancelHandoff', {
    agent: principal.agent,
    steps,
    bytes: 512 * steps.length,
  });
  if (!answer.ok) return { rejection: aboutSession(answer.rejection, sessionKey) };
  for (const { sessionId } of state.pending) deps.audit.cancelled({ actor: principal, sessionId });
  return { value: { sessionKey, offers } };
}

type Left = Pick<FoundWorklog, 'ref' | 'state'>;

const unparkStep = (deps: HandoffDependencies, { ref, state }: Left, reason: string): Step<'worklog'> => ({
  stream: ref,
  command: {
    kind: 'park',
    takers: [],
    requestType: state.parked?.requestType ?? RequestType.FullHandoff,
    until: deps.now(),
    by: ParkedBy.Owner,
    payload: payloadOf({ reason }, deps.codec),
  },
});

/** Withdraws the instruction that has outlived an offer. Undefined: there is none, or it is not the caller's. */
export async function withdrawLeft(
  deps: HandoffDependencies,
  principal: Principal,
  found: FoundHandoff,
  reason = '',
): Promise<Outcome<undefined> | undefined> {
  const { binding } = found.session;
  if (!binding) return undefined;
  const { tenant, agent } = principal;
  const ref = worklogRef(tenant, binding.worklog);
  const state = (await deps.engine.query(ref))?.state;
  if (!state || state.owner !== agent) return undefined;
  const live = liveInstruction(state, deps.now());
  if (!live)
    return (await wasWithdrawn(deps, { ref, state })) ? { value: undefined, replayed: true } : undefined;
  if (!leftBeside(state, found, deps.now())) return undefined;
  const steps = [unparkStep(deps, { ref, state }, reason)] as const;
  const answer = await submit(deps, principal, 'cancelHandoff', { agent, steps, bytes: 512 });
  return answer.ok ? { value: undefined } : { rejection: aboutSession(answer.rejection, binding.worklog) };
}

function notOwner({ ref, state }: FoundWorklog, { agent }: Principal): Rejection {
  const { owner } = state;
  // One from whom it was taken is told that, whatever it tries.
  if (state.taken?.from === agent) return aboutSession(writeRefusal(state, agent), ref.id);
  const message = `only the owner, ${named(owner)}, may withdraw what it offered or left`;
  return rejectWith(RejectionCode.FORBIDDEN, message, { sessionKey: ref.id, owner });
}

/** Whoever says it twice, because the first answer was lost, is told that it is so. */
async function nothingLeft(deps: HandoffDependencies, found: FoundWorklog): Promise<Outcome<Withdrawn>> {
  const { ref } = found;
  if (await wasWithdrawn(deps, found)) return { value: { sessionKey: ref.id, offers: [] }, replayed: true };
  const message = 'nothing of it is offered or left for anybody';
  return { rejection: rejectWith(RejectionCode.CONFLICT, message, { sessionKey: ref.id }) };
}

async function wasWithdrawn({ store }: HandoffDependencies, { ref, state }: Left): Promise<boolean> {
  const [last] = await store.load(ref, state.seq - 1, 1);
  return last !== undefined && isWithdrawal(last);
}

function isWithdrawal({ type, facts }: EntryHead): boolean {
  if (type === WorklogEntryType.HandoffEnded) return facts.outcome === 'cancelled';
  return type === WorklogEntryType.Parked && Array.isArray(facts.takers) && facts.takers.length === 0;
}

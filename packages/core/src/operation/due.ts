/**
 * What time alone does to an operation: its TTL passes, and later its watch window ends. Everything else that has to do
 * with time is found out by looking at the chain.
 */
import { FaultCode, HandoverError } from '../fault.js';
import type { Draft } from '../log/entry.js';
import { runtimeDraft } from '../log/runtime-draft.js';
import { withOutcome } from './draft.js';
import { isOpenClaim, pendingOf } from './effect.js';
import { OperationEntryType } from './entry-type.js';
import { isSoughtAtAll } from './sought.js';
import { AskStanding, type AskState, isOver, type OperationState, REPORT_MS } from './state.js';
import { ClaimKind } from './words.js';

interface Moment {
  readonly type: OperationEntryType;
  readonly at: number;
}

export const operationDue = (state: OperationState): number | undefined => nextMoment(state)?.at;

export function operationTick(state: OperationState): Draft {
  const moment = nextMoment(state);
  if (!moment) throw new HandoverError(FaultCode.INTERNAL, 'an operation that is not due was ticked');
  return withOutcome(state, runtimeDraft(moment.type, state.seq + 1, moment.at), moment.at);
}

/** The deadline itself is still in time, so the operation falls due one millisecond later. */
function nextMoment(state: OperationState): Moment | undefined {
  const ttl = state.expiresAt + 1;
  if (isOver(state)) return lastLook(state, ttl);
  if (!state.late) return { type: OperationEntryType.TimeUp, at: ttl };
  const { waiting, open, quiet } = pendingOf(state);
  if (state.windowOver || !(waiting || open || quiet)) return undefined;
  return { type: OperationEntryType.WindowOver, at: Math.max(ttl, windowEnd(state)) };
}

/**
 * It is over, and a wallet may still sign: what somebody said was not signed, what has failed once, or a second prompt for
 * a step that is done.
 * The chain is looked at for a while even so.
 */
function lastLook(state: OperationState, ttl: number): Moment | undefined {
  if (!state.watched || state.windowOver) return undefined;
  const spare =
    state.asks.some((ask) => isSpare(state, ask)) ||
    state.steps.some(({ claims }) => claims.some(isOpenClaim));
  if (!spare) return undefined;
  return { type: OperationEntryType.WindowOver, at: Math.max(ttl, windowEnd(state)) };
}

const isSpare = (state: OperationState, ask: AskState): boolean =>
  ask.standing !== AskStanding.Lapsed && isSoughtAtAll(state, ask);

/** Until when the server looks by itself. Without a chain to look at there is nothing to wait for. */
export function windowEnd(state: OperationState): number {
  if (!state.watched) return state.expiresAt;
  const claims = [...state.steps.flatMap((step) => step.claims), ...state.loose];
  const asked = state.asks.map(({ at }) => at + state.lateMs);
  const said = claims.map(({ at, kind }) => at + (kind === ClaimKind.Safe ? REPORT_MS : state.lateMs));
  return Math.max(state.expiresAt, ...asked, ...said, (state.result?.at ?? 0) + state.lateMs);
}

/**
 * Decides the commands of operations (docs/spec/review.md 1.4).
 *
 * T1. No command sets a status: it records what was asked, said or seen, and the status follows (settle.ts). A command
 *     that adds nothing is accepted and adds no entry.
 * T2. A browser only asks, answers and claims; done and different follow from what the chain shows.
 * T3. One ask is open at a time, and steps are asked in order.
 * T4. A claim is taken in every state, until the report window ends: what a wallet has signed must be told.
 * T5. An agent can close only the operations that it created; to any other agent they do not exist.
 */
import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import type { Rejection } from '../rejection.js';
import type { OperationCommand } from './command.js';
import { decideAnswer, decideAsk, decideSettleAsk } from './decide-ask.js';
import { decideClaim, decideJudge, decideJudgeResult } from './decide-claim.js';
import { operationDraft, withOutcome } from './draft.js';
import { isOpenClaim, pendingOf } from './effect.js';
import { OperationEntryType } from './entry-type.js';
import { earlierFacts } from './facts.js';
import { FAMILIES } from './families/families.js';
import { operationConflict, operationExpired, operationNotFound, replaceFlaw } from './refusals.js';
import { isSeen } from './sought.js';
import { isOver, type OperationState } from './state.js';
import { Effect, OperationStatus, StepStatus, Verification } from './words.js';

type Of<K extends OperationCommand['kind']> = Extract<OperationCommand, { readonly kind: K }>;

/** A page that posts results for ever must not fill the log. Asks and claims have limits of their own. */
const MAX_ENTRIES = 4_000;

export function decideOperation(
  state: OperationState | undefined,
  command: OperationCommand,
  stamp: Stamp,
): Decision {
  if (!state)
    return command.kind === 'create' ? create(state, command, stamp) : rejected(operationNotFound());
  const decision = decided(state, command, stamp);
  if (decision.kind !== 'accepted') return decision;
  return { ...decision, drafts: decision.drafts.map((draft) => withOutcome(state, draft, stamp.at)) };
}

function decided(state: OperationState, command: OperationCommand, stamp: Stamp): Decision {
  switch (command.kind) {
    case 'create':
      return create(state, command, stamp);
    case 'raise':
      // It is under these rules already.
      return accepted();
    case 'begin':
      return begin(state, command, stamp);
    case 'ask':
      return decideAsk(state, command.ask, stamp);
    case 'answer':
      return decideAnswer(state, command, stamp);
    case 'claim':
      return decideClaim(state, command.claim, stamp);
    case 'result':
      return postResult(state, command, stamp);
    case 'close':
      return close(state, command, stamp);
    case 'judge':
      return decideJudge(state, command.judgement, stamp);
    case 'judgeResult':
      return decideJudgeResult(state, command, stamp);
    case 'settleAsk':
      return decideSettleAsk(state, command, stamp);
  }
}

function create(state: OperationState | undefined, command: Of<'create'>, stamp: Stamp): Decision {
  if (state) return rejected(operationConflict(state, 'the id is taken'));
  const { family, chainId, ttlMs, lateMs, digest, steps, watched, head, signer, nextSession, payload } =
    command;
  const facts = {
    rev: 2,
    family,
    chain_id: chainId,
    expires_at: stamp.at + ttlMs,
    late_ms: lateMs,
    digest,
    watched,
    ...(head !== undefined && { head }),
    ...(signer !== undefined && { signer }),
    ...(nextSession !== undefined && { next_session: nextSession }),
    ...earlierFacts(command),
    steps: steps.map(({ id, from, skipped, like }) => ({
      id,
      ...(from !== undefined && { from }),
      ...(skipped && { skipped }),
      ...(like !== undefined && { like }),
    })),
  };
  return accepted(operationDraft(OperationEntryType.Created, stamp, facts, payload));
}

/** A page that connects one account after another must not fill the log. */
const MAX_CONNECTED = 8;

/** Opened, connected, imported: each is recorded once, in order, before a wallet is asked; and each account once. */
function begin(state: OperationState, command: Of<'begin'>, stamp: Stamp): Decision {
  const { status, account, head, payload } = command;
  const { beginnings } = FAMILIES[state.family];
  const posted = beginnings.indexOf(status);
  if (posted < 1) return rejected(operationConflict(state, `a page cannot make it ${status}`));
  const { connected, asks, loose, steps } = state;
  const isUnderWay = asks.length + loose.length > 0 || steps.some(({ claims }) => claims.length > 0);
  const isNew =
    account !== undefined &&
    connected.length < MAX_CONNECTED &&
    connected.every((one) => one.account !== account);
  const reached = beginnings.indexOf(state.beginning);
  if (isUnderWay || posted < reached || (posted === reached && !isNew)) return accepted();
  const over = overFlaw(state);
  if (over) return rejected(over);
  if (posted > reached + 1) return rejected(operationConflict(state, `it is ${state.status}`));
  const facts = {
    status,
    ...(isNew && { account, ...(head !== undefined && { head }) }),
  };
  return accepted(operationDraft(OperationEntryType.Posted, stamp, facts, payload));
}

/** Whoever asked, and the holder of the link, may end it; what a wallet may still do goes on (rows 10 to 14). */
function close(state: OperationState, { by, replacedBy }: Of<'close'>, stamp: Stamp): Decision {
  if (by === 'creator' && stamp.agent !== state.creator) return rejected(operationNotFound());
  const kept = replacedBy === undefined ? undefined : replaceFlaw(state);
  if (kept) return rejected(kept);
  if (replacedBy !== undefined && isOver(state)) return accepted();
  if (state.status === OperationStatus.Cancelled || (state.closing && !isOver(state))) return accepted();
  if (isOver(state)) return rejected(operationConflict(state, `it is over: ${endingOf(state)}`));
  const { waiting, open, quiet } = pendingOf(state);
  const left = state.steps.some(
    ({ status }) => status === StepStatus.Pending || status === StepStatus.Failed,
  );
  if (open && !waiting && !quiet && !left) return rejected(operationConflict(state, sentFlaw(state)));
  const facts = { by, ...(replacedBy !== undefined && { replaced_by: replacedBy }) };
  return accepted(operationDraft(OperationEntryType.Closing, stamp, facts));
}

/** A hash that the network has not shown may be mistyped, and may as well come yet. */
function sentFlaw({ steps, loose }: OperationState): string {
  const open = [...steps.flatMap(({ claims }) => claims), ...loose].filter(isOpenClaim);
  return open.some(isSeen)
    ? 'it was sent already; what is sent cannot be cancelled'
    : 'a hash was told for it which the network has not shown; what may have been sent cannot be cancelled';
}

function overFlaw(state: OperationState): Rejection | undefined {
  if (state.status === OperationStatus.Expired) return operationExpired();
  return isOver(state) ? operationConflict(state, `it is over: ${endingOf(state)}`) : undefined;
}

const endingOf = ({ closed, status }: OperationState): string => (closed ? 'closed' : status);

/**
 * Results of bundles and sessions. One that says that nothing was done is not believed while a wallet may still act:
 * then it only closes the record (review:A6).
 */
function postResult(state: OperationState, command: Of<'result'>, stamp: Stamp): Decision {
  const { outcome, digest, payload } = command;
  if (state.result?.digest === digest) return accepted();
  const isEnd = outcome === OperationStatus.Failed || outcome === OperationStatus.Cancelled;
  const { waiting, open, quiet } = pendingOf(state);
  if (outcome === OperationStatus.Cancelled || (isEnd && (waiting || open || quiet)))
    return close(state, { kind: 'close', by: 'holder' }, stamp);
  if (state.status === OperationStatus.Expired && isEnd) return rejected(operationExpired());
  const isFinal = state.result && state.result.outcome !== OperationStatus.Failed;
  if (isFinal && state.result?.verification !== Verification.Mismatched)
    return rejected(operationConflict(state, 'another result was posted before'));
  if (isEnd && isOver(state)) return rejected(operationConflict(state, `it is over: ${state.status}`));
  if (state.effect === Effect.Done && state.result?.verification === Verification.Matched) return accepted();
  if (state.seq >= MAX_ENTRIES) return rejected(operationConflict(state, 'it has been tried too often'));
  return accepted(operationDraft(OperationEntryType.Result, stamp, { outcome, digest }, payload));
}

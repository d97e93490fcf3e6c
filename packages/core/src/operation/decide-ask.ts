/** Asks of a wallet, and how they ended. */
import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import type { Rejection } from '../rejection.js';
import { areUnseen, claimsOf, isContested } from './claims-of-asks.js';
import type { NewAsk, OperationCommand } from './command.js';
import { operationDraft } from './draft.js';
import { isWaiting, pendingOf } from './effect.js';
import { OperationEntryType } from './entry-type.js';
import { askFacts } from './facts.js';
import { FAMILIES } from './families/families.js';
import { operationConflict, operationExpired, operationFlaw } from './refusals.js';
import { hasKnownSession } from './session-standing.js';
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  isOver,
  type OperationState,
  type StepState,
} from './state.js';
import { AskAnswer, ClaimKind, Effect, OperationStatus, StepStatus } from './words.js';

type Answer = Extract<OperationCommand, { readonly kind: 'answer' }>;

/** A page that asks for ever must not fill the log. */
const MAX_ASKS = 400;

export function decideAsk(state: OperationState, ask: NewAsk, stamp: Stamp): Decision {
  const known = knownAsk(state, ask);
  if (known) return isSameAsk(known, ask) ? accepted() : rejected(operationConflict(state, ANSWERED));
  const flaw = askFlaw(state, ask, stamp.at);
  return flaw ? rejected(flaw) : accepted(operationDraft(OperationEntryType.Asked, stamp, askFacts(ask)));
}

const ANSWERED = 'this ask was answered, or was for something else; ask under another clientAsk';

/** A page that lost the answer asks again under the id that it made. */
export const knownAsk = (
  { asks }: Pick<OperationState, 'asks'>,
  { clientAsk }: Pick<NewAsk, 'clientAsk'>,
): AskState | undefined =>
  clientAsk === undefined ? undefined : asks.find((ask) => ask.clientAsk === clientAsk);

/** For the same steps and account, and still waiting for its answer. */
export const isSameAsk = (known: AskState, { steps, account }: Pick<NewAsk, 'steps' | 'account'>): boolean =>
  isWaiting(known) &&
  known.account === account &&
  known.steps.length === steps.length &&
  known.steps.every((id, i) => id === steps[i]);

function askFlaw(
  state: OperationState,
  { id, steps: ids, account }: NewAsk,
  at: number,
): Rejection | undefined {
  if (state.status === OperationStatus.Expired) return operationExpired();
  const conflict = (message: string) => operationConflict(state, message);
  if (state.asks.some((ask) => ask.id === id)) return conflict('the id of the ask is taken');
  if (isOver(state)) return conflict(`it is over: ${state.closed ? 'closed' : state.status}`);
  if (state.closing) return conflict('it has been withdrawn');
  if (state.late || at > state.expiresAt) return conflict('its time has passed');
  if (pendingOf(state).waiting) return conflict('a wallet has been asked, and has not answered');
  if (state.asks.length >= MAX_ASKS) return conflict('it has been tried too often; make a new one');
  if (ids.length === 0) return operationFlaw('stepId is missing');
  for (const step of ids) {
    const flaw = stepFlaw(state, step, ids, account);
    if (flaw) return flaw;
  }
  return undefined;
}

function stepFlaw(
  state: OperationState,
  id: string,
  together: readonly string[],
  account: string | undefined,
): Rejection | undefined {
  const index = state.steps.findIndex((step) => step.id === id);
  const step = state.steps[index];
  if (!step) return operationFlaw('stepId names no step');
  if (step.status !== StepStatus.Pending && step.status !== StepStatus.Failed)
    return operationConflict(state, `the step is ${step.status} already`);
  const before = state.steps[index - 1];
  if (before && !together.includes(before.id) && !isOpenAfter(state, { ...before, seen: isSeen(before) }))
    return operationConflict(state, 'the step before it has not succeeded yet');
  const only = step.from ?? state.signer ?? boundAccount(state);
  return account === undefined || only === undefined || only === account
    ? undefined
    : operationConflict(state, 'another account is expected');
}

/** What the step after this one has to know of it; states and views both have it. */
interface StepBefore {
  readonly status: StepStatus;
  readonly effect: Effect;
  /** Its receipt was seen. */
  readonly seen: boolean;
}

/** Whether the step after this one may begin. */
export function isOpenAfter(state: Pick<OperationState, 'family' | 'watched'>, before: StepBefore): boolean {
  const { status, effect, seen } = before;
  if (status === StepStatus.Confirmed || status === StepStatus.Skipped) return true;
  const { stepsApart } = FAMILIES[state.family];
  if (stepsApart && status === StepStatus.Failed) return true;
  if (status !== StepStatus.Submitted || effect === Effect.Different) return false;
  return stepsApart || !state.watched || seen;
}

const isSeen = ({ claims }: StepState): boolean =>
  claims.some(({ block, standing }) => standing === ClaimStanding.Open && block !== undefined);

/** The account of an ask that waits, or that a claim has answered: from then on no other may sign (review:A4). */
export function boundAccount({ asks }: Pick<OperationState, 'asks'>): string | undefined {
  const binds = (ask: AskState) => isWaiting(ask) || ask.standing === AskStanding.Claimed;
  return asks.find((ask) => binds(ask) && ask.account !== undefined)?.account;
}

export function decideAnswer(state: OperationState, command: Answer, stamp: Stamp): Decision {
  const { answer, walletCode, payload } = command;
  const ask = command.ask === undefined ? state.asks.at(-1) : state.asks.find(({ id }) => id === command.ask);
  if (!ask) return rejected(operationFlaw('no wallet was asked'));
  if (ask.standing === STANDING[answer]) return accepted();
  if (DENIALS.includes(answer) && isForAnother(state, ask))
    return rejected(
      operationConflict(state, 'it was answered with what counts for a request of somebody else'),
    );
  if (!mayAnswer(state, ask, answer))
    return rejected(operationConflict(state, `the ask was answered before: ${ask.standing}`));
  const facts = { ask: ask.id, answer, ...(walletCode !== undefined && { wallet_code: walletCode }) };
  return accepted(operationDraft(OperationEntryType.Answered, stamp, facts, payload));
}

/** They end an ask as nothing at once. */
const DENIALS: readonly Answer['answer'][] = [AskAnswer.Refused, AskAnswer.NotOpened];

const STANDING: Readonly<Record<Answer['answer'], AskStanding>> = {
  [AskAnswer.Refused]: AskStanding.Refused,
  [AskAnswer.NotOpened]: AskStanding.NotOpened,
  [AskAnswer.Unclear]: AskStanding.Unclear,
  [AskAnswer.SaidNotSigned]: AskStanding.Quiet,
};

/**
 * The wallet's own word may follow what somebody said, or silence. A value that no node has ever seen may be taken back:
 * it was mistyped, or never sent. Nothing else may.
 */
function mayAnswer(state: OperationState, ask: AskState, answer: Answer['answer']): boolean {
  if (answer === AskAnswer.Unclear) return ask.standing === AskStanding.Open;
  if (isWaiting(ask)) return true;
  if (answer === AskAnswer.SaidNotSigned && ask.standing === AskStanding.Claimed)
    return areUnseen(claimsOf(state, ask));
  return answer === AskAnswer.Refused && MAY_BE_OPEN.includes(ask.standing);
}

/** Its wallet may have acted, and what it did counts for another creator: the ask never ends as nothing (review:C4). */
const isForAnother = (state: OperationState, ask: AskState): boolean =>
  claimsOf(state, ask).some(isContested);

/** The prompt may still be there, so the wallet may still be told no. */
const MAY_BE_OPEN: readonly AskStanding[] = [AskStanding.Quiet, AskStanding.NotSigned, AskStanding.Lapsed];

/** The quiet time has ended and the chain shows nothing (row 28), or what was asked for can no longer be used (row 29). */
export function decideSettleAsk(
  state: OperationState,
  { ask: id, through }: Extract<OperationCommand, { readonly kind: 'settleAsk' }>,
  stamp: Stamp,
): Decision {
  const ask = state.asks.find((one) => one.id === id);
  if (!ask || isForAnother(state, ask)) return accepted();
  const isSession = FAMILIES[state.family].claimKind === ClaimKind.Session;
  const quietOver = ask.standing === AskStanding.Quiet && stamp.at >= (ask.quietUntil ?? 0);
  const ended = isSession ? hasKnownSession(ask) && (quietOver || isWaiting(ask)) : quietOver;
  if (!ended) return accepted();
  const facts = { ask: id, ...(through !== undefined && { through }) };
  return accepted(operationDraft(OperationEntryType.AskSettled, stamp, facts));
}

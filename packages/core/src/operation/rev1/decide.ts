/**
 * Decides the commands of operations.
 *
 * T1. Only the moves below are allowed, none backwards. A command that changes nothing is accepted and adds no entry.
 * T2. A browser only claims: completed, deployed, partial and confirmed follow from `verified` alone.
 * T3. One step is asked of a wallet at a time, in order, by one tab; one transaction serves one step.
 * T4. Once something was sent, an operation cannot be cancelled. Once it has expired, only verifications of what was
 *     sent change it.
 * T5. An agent can cancel only the operations that it created; to any other agent they do not exist.
 */

import { accepted, type Decision, rejected, type Stamp } from '../../decider.js';
import { NO_PAYLOAD } from '../../log/entry.js';
import type { Rejection } from '../../rejection.js';
import { operationDraft } from '../draft.js';
import { OperationEntryType } from '../entry-type.js';
import { operationConflict, operationExpired, operationNotFound } from '../refusals.js';
import type { OperationCommand } from './command.js';
import { decideVerified } from './decide-verified.js';
import { Family, hasSubmitted, isOver, type OperationState, OperationStatus, Verification } from './state.js';
import { stepFacts } from './step-move.js';

/** A browser that posts for ever must not fill the log. The limit does not hold for verifications and ends. */
const MAX_POSTS = 4_000;

type Of<K extends OperationCommand['kind']> = Extract<OperationCommand, { readonly kind: K }>;

export function decideRev1(
  state: OperationState | undefined,
  command: OperationCommand,
  stamp: Stamp,
): Decision {
  if (command.kind === 'create') return create(state, command, stamp);
  if (!state) return rejected(operationNotFound());
  if (command.kind === 'cancel') return cancel(state, command, stamp);
  if (command.kind === 'verified') return decideVerified(state, command, stamp);
  return command.kind === 'result' ? postResult(state, command, stamp) : post(state, command, stamp);
}

function create(state: OperationState | undefined, command: Of<'create'>, stamp: Stamp): Decision {
  if (state) return rejected(operationConflict(state, 'the id is taken'));
  const { family, chainId, ttlMs, digest, steps, watched, signer, payload } = command;
  const facts = {
    family,
    chain_id: chainId,
    expires_at: stamp.at + ttlMs,
    digest,
    watched,
    ...(signer !== undefined && { signer }),
    steps: steps.map(({ id, from, skipped }) => ({
      id,
      ...(from !== undefined && { from }),
      ...(skipped && { skipped }),
    })),
  };
  return accepted(operationDraft(OperationEntryType.Created, stamp, facts, payload));
}

function cancel(state: OperationState, { by }: Of<'cancel'>, stamp: Stamp): Decision {
  if (by === 'creator' && stamp.agent !== state.creator) return rejected(operationNotFound());
  if (isOver(state)) return accepted();
  if (hasSubmitted(state))
    return rejected(operationConflict(state, 'something was sent already; what is sent cannot be cancelled'));
  return accepted(operationDraft(OperationEntryType.Cancelled, stamp, { by }, NO_PAYLOAD));
}

function post(state: OperationState, command: Of<'post'>, stamp: Stamp): Decision {
  if (state.status === OperationStatus.Expired) return rejected(operationExpired());
  if (command.status === OperationStatus.Cancelled) return decline(state, stamp);
  if (isPast(state, command)) return accepted();
  const over = overFlaw(state);
  if (over) return rejected(over);
  if (!mayMove(state, command))
    return rejected(operationConflict(state, `${state.status} cannot become ${command.status}`));
  const moved = command.step ? stepFacts(state, command.step, command.account) : {};
  if (moved === 'nothing new') return accepted();
  if ('code' in moved) return rejected(moved as Rejection);
  const { account, claims, payload } = command;
  const facts = {
    status: command.status,
    ...moved,
    ...(account !== undefined && { account }),
    ...(claims && { claims }),
  };
  return accepted(operationDraft(OperationEntryType.Posted, stamp, facts, payload));
}

/** The person declines. That is possible only while nothing was sent. */
function decline(state: OperationState, stamp: Stamp): Decision {
  if (state.status === OperationStatus.Cancelled) return accepted();
  const over = overFlaw(state);
  if (over) return rejected(over);
  if (hasSubmitted(state))
    return rejected(operationConflict(state, 'something was sent already; it is too late to decline'));
  return accepted(operationDraft(OperationEntryType.Cancelled, stamp, { by: 'person' }, NO_PAYLOAD));
}

function overFlaw(state: OperationState): Rejection | undefined {
  if (isOver(state)) return operationConflict(state, `it is over: ${state.closed ? 'closed' : state.status}`);
  if (state.seq >= MAX_POSTS) return operationConflict(state, 'it has been tried too often; make a new one');
  return undefined;
}

/** Statuses in the order in which they come. A post of one that was already reached changes nothing. */
const ORDER: Readonly<Record<Family, readonly OperationStatus[]>> = {
  [Family.Operation]: [
    OperationStatus.PendingUserAction,
    OperationStatus.Opened,
    OperationStatus.WalletConnected,
  ],
  [Family.BundleDeploy]: [OperationStatus.PendingImport, OperationStatus.Opened, OperationStatus.Imported],
  [Family.SessionStart]: [OperationStatus.PendingImport],
};

function isPast(state: OperationState, { status, step, claims }: Of<'post'>): boolean {
  const order = ORDER[state.family];
  const posted = order.indexOf(status);
  if (posted < 1 || step || claims) return false;
  const present = order.indexOf(state.status);
  return present === -1 || present >= posted;
}

/** For each status that may be posted, the statuses in which that is allowed. */
const OPERATION_MOVES: Partial<Record<OperationStatus, readonly OperationStatus[]>> = {
  [OperationStatus.Opened]: [OperationStatus.PendingUserAction],
  [OperationStatus.WalletConnected]: [OperationStatus.Opened],
  [OperationStatus.TxRequested]: [
    OperationStatus.Opened,
    OperationStatus.WalletConnected,
    OperationStatus.TxSubmitted,
    OperationStatus.Failed,
  ],
  [OperationStatus.TxSubmitted]: [OperationStatus.TxRequested, OperationStatus.TxSubmitted],
  [OperationStatus.Failed]: [OperationStatus.TxRequested],
};

const BUNDLE_MOVES: Partial<Record<OperationStatus, readonly OperationStatus[]>> = {
  [OperationStatus.Opened]: [OperationStatus.PendingImport],
  [OperationStatus.Imported]: [OperationStatus.Opened, OperationStatus.Imported],
  [OperationStatus.Failed]: [OperationStatus.Imported],
};

function mayMove(state: OperationState, { status, step }: Of<'post'>): boolean {
  switch (state.family) {
    case Family.Operation:
      // `tx_submitted` follows `tx_requested` with the first hash of a step, and itself with a replaced hash.
      return OPERATION_MOVES[status]?.includes(state.status) ?? false;
    case Family.BundleDeploy:
      return BUNDLE_MOVES[status]?.includes(state.status) ?? false;
    case Family.SessionStart:
      return step !== undefined && status === state.status;
  }
}

function postResult(
  state: OperationState,
  { outcome, digest, payload }: Of<'result'>,
  stamp: Stamp,
): Decision {
  if (state.status === OperationStatus.Expired) return rejected(operationExpired());
  if (state.result?.digest === digest) return accepted();
  const over = overFlaw(state);
  if (over) return rejected(over);
  if (state.result && state.result.verification !== Verification.Mismatched)
    return rejected(operationConflict(state, 'another result was posted before'));
  if (outcome === OperationStatus.Cancelled && hasSubmitted(state))
    return rejected(operationConflict(state, 'something was started already; it is too late to decline'));
  return accepted(operationDraft(OperationEntryType.Result, stamp, { outcome, digest }, payload));
}

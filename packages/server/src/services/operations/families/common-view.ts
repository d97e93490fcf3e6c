/** What the views of all families share. */
import {
  type AskState,
  boundAccount,
  ClaimStanding,
  countedAccount,
  isOver,
  type JsonObject,
  type OperationState,
  OperationStatus,
  openPrompts,
  ReasonCode,
  reasonOf,
  reportUntil,
  verificationOf,
} from '@handover/core';
import type { AnyView, AskView } from '@handover/evm';
import { iso } from '../../../platform/iso.js';
import type { ViewContext } from './family-documents.js';
import { reasonView } from './step-progress.js';

type Common = Omit<ViewContext['common'], 'receipt' | 'receipts' | 'chainSight' | 'replaces'>;

export function commonView(state: OperationState): Common {
  const { closing, closed, late, signer, repeats } = state;
  const account = accountOf(state);
  const asks = openPrompts(state);
  return {
    chainId: state.chainId,
    status: state.status,
    effect: state.effect,
    basis: state.basis,
    ...reasonView(reasonOf(state)),
    verification: verificationOf(state),
    createdBy: state.creator,
    createdAt: iso(state.createdAt),
    updatedAt: iso(state.updatedAt),
    expiresAt: iso(state.expiresAt),
    reportUntil: iso(reportUntil(state)),
    digest: state.digest,
    watched: state.watched,
    ...(account !== undefined && { account }),
    ...(signer !== undefined && { expectedSigner: signer }),
    ...(closing && { closing: { ...closing, at: iso(closing.at) } }),
    ...(closed && { closed }),
    ...(late && { late }),
    ...(repeats && {
      repeats: {
        id: repeats.id,
        createdAt: iso(repeats.at),
        effect: repeats.effect,
        ...(repeats.steps && { stepIds: [...repeats.steps] }),
      },
    }),
    over: isOver(state),
    openAsks: asks.length,
    ...(asks.length > 0 && { asks: asks.map(askView) }),
    ...(isFeeSpent(state) && { feeSpent: true }),
  };
}

/** Whose transaction counts, else who is expected to sign. */
function accountOf(state: OperationState): string | undefined {
  for (const step of state.steps) {
    const account = countedAccount(state, step);
    if (account !== undefined) return account;
  }
  return boundAccount(state);
}

function askView({ id, steps, at, standing, account, nonce, quietUntil }: AskState): AskView {
  return {
    id,
    stepIds: steps,
    at: iso(at),
    standing,
    ...(account !== undefined && { account }),
    ...(nonce !== undefined && { nonce }),
    ...(quietUntil !== undefined && { quietUntil: iso(quietUntil) }),
  };
}

const isFeeSpent = ({ steps }: OperationState): boolean =>
  steps.some(({ claims }) =>
    claims.some(
      ({ standing, reason }) => standing === ClaimStanding.Nothing && reason === ReasonCode.Reverted,
    ),
  );

/** Views are plain JSON. Their types say more about it than `JsonObject` does. */
export const asJson = (view: AnyView): JsonObject => view as unknown as JsonObject;

/** The URL, unless nothing is left to open. */
export function openUrl({ status }: OperationState, url: string | undefined): string | undefined {
  return status === OperationStatus.Cancelled || status === OperationStatus.Expired ? undefined : url;
}

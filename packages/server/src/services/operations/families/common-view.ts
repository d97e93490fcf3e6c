/** What the views of all families share. */
import {
  claimKey,
  type JsonObject,
  type OperationState,
  OperationStatus,
  operationReceipt,
  type StepState,
  StepStatus,
  signOperationReceipt,
  verificationOf,
} from '@handover/core';
import type { AnyView, CommonView, StepProgress } from '@handover/evm';
import { iso } from '../../../platform/iso.js';
import type { OperationDependencies } from '../dependencies.js';
import type { OperationRecord } from '../record.js';
import type { Detail } from './family.js';

/** An expired record shows only metadata. */
export const showsAll = ({ status }: OperationState, detail: Detail): boolean =>
  detail === 'full' && status !== OperationStatus.Expired;

export function commonView(
  deps: OperationDependencies,
  { state, ref, head }: OperationRecord,
  { network }: JsonObject,
): CommonView {
  const body = operationReceipt(ref.tenant, state, head);
  return {
    network: typeof network === 'string' ? network : '',
    chainId: state.chainId,
    status: state.status,
    verification: verificationOf(state),
    createdAt: iso(state.createdAt),
    updatedAt: iso(state.updatedAt),
    expiresAt: iso(state.expiresAt),
    digest: state.digest,
    watched: state.watched,
    ...(state.account !== undefined && { account: state.account }),
    ...(state.signer !== undefined && { expectedSigner: state.signer }),
    ...(state.closed && { closed: true }),
    ...(body && { receipt: signOperationReceipt(body, state.updatedAt, deps.signer, deps.codec) }),
  };
}

export function stepProgress(step: StepState, events: readonly JsonObject[]): StepProgress {
  const { id, status, verification, claim = {}, block, reason } = step;
  const error = isErrorInEvents(step) ? lastError(events, id) : reason;
  return {
    id,
    status,
    verification,
    ...(claimKey(step.claim) !== '' && { ...claim }),
    ...(block && { blockNumber: block.number }),
    ...(error !== undefined && { error }),
  };
}

/** True when the browser's error text must be read from the events: the state keeps no texts. */
export const isErrorInEvents = ({ status, reason }: StepState): boolean =>
  status === StepStatus.Failed && reason === undefined;

function lastError(events: readonly JsonObject[], step: string): string | undefined {
  const failure = events.findLast(
    ({ stepId, stepStatus }) => stepId === step && stepStatus === StepStatus.Failed,
  );
  return typeof failure?.error === 'string' ? failure.error : undefined;
}

/** Views are plain JSON. Their types say more about it than `JsonObject` does. */
export const asJson = (view: AnyView): JsonObject => view as unknown as JsonObject;

/** The URL, unless nothing is left to open. */
export function openUrl({ status }: OperationState, url: string | undefined): string | undefined {
  return status === OperationStatus.Cancelled || status === OperationStatus.Expired ? undefined : url;
}

/** What the views of all families share. */
import {
  type JsonObject,
  type OperationState,
  OperationStatus,
  operationReceipt,
  signOperationReceipt,
  verificationOf,
} from '@handover/core';
import type { AnyView } from '@handover/evm';
import { iso } from '../../../platform/iso.js';
import type { OperationDependencies } from '../dependencies.js';
import type { OperationRecord } from '../record.js';
import type { ViewContext } from './family-documents.js';

export function commonView(
  deps: Pick<OperationDependencies, 'signer' | 'codec'>,
  { state, ref, head }: OperationRecord,
): ViewContext['common'] {
  const body = operationReceipt(ref.tenant, state, head);
  return {
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

/** Views are plain JSON. Their types say more about it than `JsonObject` does. */
export const asJson = (view: AnyView): JsonObject => view as unknown as JsonObject;

/** The URL, unless nothing is left to open. */
export function openUrl({ status }: OperationState, url: string | undefined): string | undefined {
  return status === OperationStatus.Cancelled || status === OperationStatus.Expired ? undefined : url;
}

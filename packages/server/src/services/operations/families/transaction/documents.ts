/** What follows from the document of a transaction. */
import {
  boundAccount,
  countedAccount,
  Family,
  type Fields,
  isFields,
  type JsonObject,
  listOf,
  member,
  type OperationState,
  type StepState,
} from '@handover/core';
import { type CallView, plainTransaction, type TransactionView } from '@handover/evm';
import { type Documents, type FamilyDocuments, networkOf, type ViewContext } from '../family-documents.js';
import { stepProgress } from '../step-progress.js';
import type { TransactionDocument } from './document.js';

export const transactionDocuments: FamilyDocuments = { view: transactionView };

function transactionView({ created }: Documents, context: ViewContext): TransactionView {
  const { state, common, events, full } = context;
  const { type = '', summary = {}, policy = {}, payload = null, validation } = asTransaction(created);
  const asked = listOf(created.steps) as TransactionDocument['steps'];
  const steps = state.steps.map((step, i) => {
    const { kind = 'transaction', label = step.id, txRequest } = asked[i] ?? {};
    const asks = txRequest && (full ? { txRequest } : { call: callOf(state, step, txRequest) });
    return { ...stepProgress(state, step, events), kind, label, ...asks };
  });
  const known = {
    id: state.id,
    type,
    family: Family.Operation,
    network: networkOf(created),
    ...common,
    summary,
    policy,
  };
  if (!full) return { ...known, steps };
  return { ...known, payload, ...(validation !== undefined && { validation }), steps, events };
}

/** What a step asks for, in short: enough to tell one request from another. */
function callOf(state: OperationState, step: StepState, txRequest: Fields): CallView {
  const { to, value, from } = plainTransaction(txRequest);
  const account = countedAccount(state, step) ?? from ?? boundAccount(state);
  return {
    kind: callKind(txRequest),
    to: to ?? null,
    value: String(value),
    chainId: state.chainId,
    ...(account !== undefined && { account }),
  };
}

function callKind(txRequest: Fields): CallView['kind'] {
  const { to, data } = plainTransaction(txRequest);
  if (to === undefined) return 'creation';
  return data === '0x' ? 'transfer' : 'call';
}

const asTransaction = (document: JsonObject) => document as unknown as Partial<TransactionDocument>;

/** What the wallet was asked to send for a step. */
export function transactionRequest({ created }: Documents, { index }: { readonly index: number }): Fields {
  const request = member(listOf(created.steps)[index], 'txRequest');
  return isFields(request) ? request : {};
}

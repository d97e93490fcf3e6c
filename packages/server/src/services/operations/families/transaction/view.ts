/** What readers see of a transaction. */
import { Family, type JsonObject, listOf } from '@handover/core';
import type { TransactionView } from '@handover/evm';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import { asJson, commonView, isErrorInEvents, openUrl, showsAll, stepProgress } from '../common-view.js';
import type { Detail } from '../family.js';
import type { TransactionDocument } from './create.js';

export async function transactionView(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<TransactionView> {
  const { state } = record;
  const full = showsAll(state, detail);
  const created = await deps.documents.created(record);
  const { type = '', summary = {}, policy = {}, payload = null, validation } = asTransaction(created);
  const events = full || state.steps.some(isErrorInEvents) ? await deps.documents.events(record) : [];
  const asked = listOf(created.steps) as TransactionDocument['steps'];
  const steps = state.steps.map((step, i) => {
    const { kind = 'transaction', label = step.id, txRequest } = asked[i] ?? {};
    return { ...stepProgress(step, events), kind, label, ...(full && txRequest && { txRequest }) };
  });
  const common = { id: state.id, type, family: Family.Operation, ...commonView(deps, record, created) };
  const known = { ...common, summary, policy };
  if (!full) return { ...known, steps };
  return { ...known, payload, ...(validation !== undefined && { validation }), steps, events };
}

const asTransaction = (document: JsonObject) => document as unknown as Partial<TransactionDocument>;

export async function transactionCreated(
  deps: OperationDependencies,
  record: OperationRecord,
  url?: string,
): Promise<JsonObject> {
  const operationUrl = openUrl(record.state, url);
  const view = asJson(await transactionView(deps, record, 'full'));
  return { ...view, ...(operationUrl !== undefined && { operationUrl }) };
}

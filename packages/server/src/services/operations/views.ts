/**
 * What readers see. No view ever holds a URL, a secret or its hash.
 *
 * metadata: enough to follow it. full: for whoever proved the secret. Of what has expired only metadata is left.
 */
import {
  claimKey,
  Family,
  type Fields,
  type JsonObject,
  listOf,
  member,
  OperationStatus,
  operationReceipt,
  type StepState,
  signOperationReceipt,
  verificationOf,
} from '@handover/core';
import { deploymentSteps, mermaidText, processGraph, rulesOfBundle } from '@handover/evm';
import type { OperationDependencies } from './dependencies.js';
import { iso } from './iso.js';
import type { OperationRecord } from './record.js';
import { ownershipOf, summaryOf } from './session-views.js';

export type Detail = 'metadata' | 'full';

export async function viewOf(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<JsonObject> {
  const shown = record.state.status === OperationStatus.Expired ? 'metadata' : detail;
  switch (record.state.family) {
    case Family.Operation:
      return operationView(deps, record, shown);
    case Family.BundleDeploy:
      return bundleView(deps, record, shown);
    case Family.SessionStart:
      return sessionView(deps, record, shown);
  }
}

function common(deps: OperationDependencies, record: OperationRecord, created: Fields): JsonObject {
  const { state, ref, head } = record;
  const body = operationReceipt(ref.tenant, state, head);
  return {
    family: state.family,
    network: (created as JsonObject).network ?? '',
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
    ...(body && {
      receipt: signOperationReceipt(body, state.updatedAt, deps.signer, deps.codec) as unknown as JsonObject,
    }),
  };
}

async function operationView(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<JsonObject> {
  const { state } = record;
  const created = await deps.documents.created(record);
  const { type = '', summary = {}, policy = {}, payload = null, validation } = created;
  const known = { id: state.id, type, ...common(deps, record, created), summary, policy };
  const full = detail === 'full';
  const events = full || state.steps.some(isErrorUnsaid) ? await deps.documents.events(record) : [];
  const asked = listOf(created.steps) as readonly JsonObject[];
  const steps = state.steps.map((step, i) => ({
    ...stepView(step, events),
    kind: asked[i]?.kind ?? 'transaction',
    label: asked[i]?.label ?? step.id,
    ...(full && asked[i]?.txRequest !== undefined && { txRequest: asked[i]?.txRequest ?? null }),
  }));
  if (!full) return { ...known, steps };
  return { ...known, payload, ...(validation !== undefined && { validation }), steps, events };
}

async function bundleView(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<JsonObject> {
  const { state } = record;
  const created = await deps.documents.created(record);
  const events = await deps.documents.events(record);
  const { summary = {}, validation = {}, bundle } = created;
  const known = {
    handle: state.id,
    type: 'xdala_bundle_deploy',
    ...common(deps, record, created),
    summary,
    validation,
    events,
  };
  if (detail === 'metadata') return { ...known, steps: state.steps.map((step) => stepView(step, events)) };
  const plan = new Map(deploymentSteps((bundle ?? {}) as Fields).map((step) => [step.id, step]));
  const steps = state.steps.map((step) => {
    const deployment = plan.get(step.id);
    return {
      ...stepView(step, events),
      kind: deployment?.kind ?? '',
      label: deployment?.alias ?? step.id,
      ...(deployment && { deployment: { ...deployment } }),
    };
  });
  const result = await deps.documents.result(record);
  return {
    ...known,
    bundle: bundle ?? null,
    steps,
    ...(result && { result, deployedArtifact: result.artifact ?? null }),
    graph: graphOf(bundle),
  };
}

/** Of the first bundle, as the diagram tool draws it. */
export function graphOf(bundle: unknown): JsonObject {
  const items = listOf(member(listOf(member(bundle, 'bundles'))[0], 'items'));
  const orchestration = items.find((item) => member(member(item, 'meta'), 'type') === 'xrc729');
  const graph = processGraph(orchestration, rulesOfBundle(items));
  return { ...graph, mermaid: mermaidText(graph) } as unknown as JsonObject;
}

async function sessionView(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<JsonObject> {
  const { state } = record;
  const created = await deps.documents.created(record);
  const events = await deps.documents.events(record);
  const { source = {}, request, authority = {}, validation = {}, graph } = created;
  const result = await deps.documents.result(record);
  const known = {
    handle: state.id,
    type: 'xdala_session_start_handoff',
    version: 'xgr-session-start@1',
    ...common(deps, record, created),
    source,
    steps: state.steps.map((step) => ({
      ...stepView(step, events),
      kind: 'session',
      label: `Session ${Number(step.id.slice('sessions.'.length)) + 1}`,
    })),
    events,
    sessionOwnership: ownershipOf(created, result),
    resultSummary: summaryOf(created, result),
  };
  if (detail === 'metadata') return known;
  return {
    ...known,
    request: request ?? null,
    authority,
    validation,
    ...(graph !== undefined && { graph }),
    ...(result && { result }),
  };
}

/** Why it failed stands in an event, not in the state. */
const isErrorUnsaid = ({ status, reason }: StepState): boolean => status === 'failed' && reason === undefined;

function stepView(step: StepState, events: readonly JsonObject[]): JsonObject {
  const { id, status, verification, claim = {}, block, reason } = step;
  const error = isErrorUnsaid(step) ? lastError(events, id) : reason;
  return {
    id,
    status,
    verification,
    ...(claimKey(step.claim) !== '' && { ...claim }),
    ...(block && { blockNumber: block.number }),
    ...(error !== undefined && { error }),
  };
}

/** What the browser said when the step failed; the state keeps no texts. */
function lastError(events: readonly JsonObject[], step: string): string | undefined {
  const error = events.findLast(
    ({ stepId, stepStatus }) => stepId === step && stepStatus === 'failed',
  )?.error;
  return typeof error === 'string' ? error : undefined;
}

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
import { eventsOf } from './events.js';
import { iso } from './iso.js';
import { documentOf, type OperationRecord, resultOf } from './record.js';
import { ownershipOf, summaryOf } from './session-views.js';

export type Detail = 'metadata' | 'full';

export function viewOf(deps: OperationDependencies, record: OperationRecord, detail: Detail): JsonObject {
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

function common(deps: OperationDependencies, record: OperationRecord): JsonObject {
  const { state, created, ref, head } = record;
  const body = operationReceipt(ref.tenant, state, head);
  return {
    family: state.family,
    network: created.network ?? '',
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

function operationView(deps: OperationDependencies, record: OperationRecord, detail: Detail): JsonObject {
  const { state, created } = record;
  const { type = '', summary = {}, policy = {}, payload = null, validation } = created;
  const known = { id: state.id, type, ...common(deps, record), summary, policy };
  const full = detail === 'full';
  const asked = listOf(created.steps) as readonly JsonObject[];
  const steps = state.steps.map((step, i) => ({
    ...stepView(record, step, deps),
    kind: asked[i]?.kind ?? 'transaction',
    label: asked[i]?.label ?? step.id,
    ...(full && asked[i]?.txRequest !== undefined && { txRequest: asked[i]?.txRequest ?? null }),
  }));
  if (!full) return { ...known, steps };
  const events = eventsOf(record, deps.codec);
  return { ...known, payload, ...(validation !== undefined && { validation }), steps, events };
}

function bundleView(deps: OperationDependencies, record: OperationRecord, detail: Detail): JsonObject {
  const { state, created } = record;
  const { summary = {}, validation = {}, bundle } = created;
  const known = {
    handle: state.id,
    type: 'xdala_bundle_deploy',
    ...common(deps, record),
    summary,
    validation,
    events: eventsOf(record, deps.codec),
  };
  if (detail === 'metadata')
    return { ...known, steps: state.steps.map((step) => stepView(record, step, deps)) };
  const plan = new Map(deploymentSteps((bundle ?? {}) as Fields).map((step) => [step.id, step]));
  const steps = state.steps.map((step) => {
    const deployment = plan.get(step.id);
    return {
      ...stepView(record, step, deps),
      kind: deployment?.kind ?? '',
      label: deployment?.alias ?? step.id,
      ...(deployment && { deployment: { ...deployment } }),
    };
  });
  return { ...known, bundle: bundle ?? null, steps, ...resultParts(record, deps), graph: graphOf(bundle) };
}

function resultParts(record: OperationRecord, { codec }: OperationDependencies): JsonObject {
  const result = resultOf(record, codec);
  return result ? { result, deployedArtifact: result.artifact ?? null } : {};
}

/** Of the first bundle, as the diagram tool draws it. */
export function graphOf(bundle: unknown): JsonObject {
  const items = listOf(member(listOf(member(bundle, 'bundles'))[0], 'items'));
  const orchestration = items.find((item) => member(member(item, 'meta'), 'type') === 'xrc729');
  const graph = processGraph(orchestration, rulesOfBundle(items));
  return { ...graph, mermaid: mermaidText(graph) } as unknown as JsonObject;
}

function sessionView(deps: OperationDependencies, record: OperationRecord, detail: Detail): JsonObject {
  const { state, created } = record;
  const { source = {}, request, authority = {}, validation = {}, graph } = created;
  const result = resultOf(record, deps.codec);
  const known = {
    handle: state.id,
    type: 'xdala_session_start_handoff',
    version: 'xgr-session-start@1',
    ...common(deps, record),
    source,
    steps: state.steps.map((step) => ({
      ...stepView(record, step, deps),
      kind: 'session',
      label: `Session ${Number(step.id.slice('sessions.'.length)) + 1}`,
    })),
    events: eventsOf(record, deps.codec),
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

function stepView(record: OperationRecord, step: StepState, { codec }: OperationDependencies): JsonObject {
  const { id, status, verification, claim = {}, block, reason } = step;
  const error = reason ?? (status === 'failed' ? lastError(record, id, codec) : undefined);
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
function lastError(
  { entries }: OperationRecord,
  step: string,
  codec: OperationDependencies['codec'],
): string | undefined {
  const entry = entries.findLast(({ facts }) => facts.step === step && facts.step_status === 'failed');
  const error = entry && documentOf(entry, codec).error;
  return typeof error === 'string' ? error : undefined;
}

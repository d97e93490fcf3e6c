/** What readers see of a bundle to deploy. */
import { Family, type Fields, type JsonObject, listOf, member } from '@handover/core';
import {
  type BundleDeployMetadata,
  type BundleDeployView,
  deploymentSteps,
  type GraphView,
  mermaidText,
  processGraph,
  rulesOfBundle,
  type ValidationView,
} from '@handover/evm';
import { iso } from '../../../../platform/iso.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import { commonView, openUrl, showsAll, stepProgress } from '../common-view.js';
import type { Detail } from '../family.js';

export async function bundleDeployView(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<BundleDeployMetadata | BundleDeployView> {
  const { state } = record;
  const created = await deps.documents.created(record);
  const events = await deps.documents.events(record);
  const { summary = {}, validation = {}, bundle = null } = created;
  const known = {
    handle: state.id,
    type: 'xdala_bundle_deploy',
    family: Family.BundleDeploy,
    ...commonView(deps, record, created),
    summary: summary as JsonObject,
    validation: validation as ValidationView,
    events,
  };
  const steps = state.steps.map((step) => stepProgress(step, events));
  if (!showsAll(state, detail)) return { ...known, steps };
  const plan = new Map(deploymentSteps((bundle ?? {}) as Fields).map((step) => [step.id, step]));
  const result = await deps.documents.result(record);
  return {
    ...known,
    bundle: bundle as JsonObject,
    steps: steps.map((step) => {
      const deployment = plan.get(step.id);
      const { kind = '', alias: label = step.id } = deployment ?? {};
      return { ...step, kind, label, ...(deployment && { deployment }) };
    }),
    ...(result && { result, deployedArtifact: result.artifact ?? null }),
    graph: graphOf(bundle),
  };
}

/** The graph of the first bundle, as the diagram tool draws it. */
function graphOf(bundle: unknown): GraphView {
  const items = listOf(member(listOf(member(bundle, 'bundles'))[0], 'items'));
  const orchestration = items.find((item) => member(member(item, 'meta'), 'type') === 'xrc729');
  const graph = processGraph(orchestration, rulesOfBundle(items));
  return { ...graph, mermaid: mermaidText(graph) };
}

export async function bundleDeployCreated(
  { publicBase }: OperationDependencies,
  { state }: OperationRecord,
  url?: string,
): Promise<JsonObject> {
  const { id, status, digest, expiresAt } = state;
  const xdalaUrl = openUrl(state, url);
  const fetchUrl = `${publicBase()}/api/bundle-deploy/${id}`;
  const named = { handle: id, expiresAt: iso(expiresAt), status, digest };
  return { ...named, ...(xdalaUrl !== undefined && { xdalaUrl, fetchUrl }) };
}

/** What follows from the documents of a bundle deploy. */
import { Family, type Fields, isFields, type JsonObject, listOf, member } from '@handover/core';
import {
  type BundleDeployMetadata,
  type BundleDeployView,
  deployedItems,
  deploymentSteps,
  type GraphView,
  mermaidText,
  ostcText,
  processGraph,
  rulesOfBundle,
  type ValidationView,
} from '@handover/evm';
import { type Documents, type FamilyDocuments, networkOf, type ViewContext } from '../family-documents.js';
import { stepProgress } from '../step-progress.js';
import { readBundleResult } from './result.js';

export const bundleDeployDocuments: FamilyDocuments = { view: bundleView, readResult: readBundleResult };

function bundleView(
  { created, result }: Documents,
  { state, common, events, full }: ViewContext,
): BundleDeployMetadata | BundleDeployView {
  const { summary = {}, validation = {}, bundle = null } = created;
  const known = {
    handle: state.id,
    type: 'xdala_bundle_deploy',
    family: Family.BundleDeploy,
    network: networkOf(created),
    ...common,
    summary: summary as JsonObject,
    validation: validation as ValidationView,
    events,
  };
  const steps = state.steps.map((step) => stepProgress(state, step, events));
  if (!full) return { ...known, steps };
  const plan = new Map(deploymentSteps((bundle ?? {}) as Fields).map((step) => [step.id, step]));
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

export interface PlannedDeployment {
  readonly kind: 'xrc137' | 'xrc729';
  /** The contract is already there. */
  readonly reuse?: string;
  /** Of an XRC-729. */
  readonly ostcId?: string;
  readonly text: string;
}

export interface PlanParameters {
  readonly step: string;
  /** By step: the contracts that are there. */
  readonly contracts: Readonly<Record<string, string>>;
}

/** What one step puts on the chain, and whether the addresses of all rules that it names are known. */
export interface StepPlan {
  readonly plan: PlannedDeployment;
  readonly isWhole: boolean;
}

/** Undefined: the bundle has no such step. */
export function plannedDeployment(
  { created }: Documents,
  { step, contracts }: PlanParameters,
): StepPlan | undefined {
  const bundle = bundleOf(created);
  const all = deploymentSteps(bundle);
  const own = all.find(({ id }) => id === step);
  if (!own) return undefined;
  const { kind, reuse, ostcId, bundleId } = own;
  const rules = all.filter((one) => one.bundleId === bundleId && one.kind === 'xrc137');
  const known = rules.flatMap((rule): (readonly [string, string])[] => {
    const address = rule.reuse ?? contracts[rule.id];
    return address === undefined ? [] : [[rule.id, address]];
  });
  const text = kind === 'xrc137' ? own.text : resolvedText(bundle, bundleId, new Map(known));
  const plan = { kind, text, ...(reuse !== undefined && { reuse }), ...(ostcId !== undefined && { ostcId }) };
  return { plan, isWhole: kind === 'xrc137' || known.length === rules.length };
}

export interface DeployedContract extends PlannedDeployment {
  readonly id: string;
  readonly address: string;
}

/** Every contract that the result names, with the text it must hold; undefined: the result is not about the bundle. */
export function deployedContracts({ created, result }: Documents): readonly DeployedContract[] | undefined {
  const bundle = bundleOf(created);
  const items = deployedItems(isFields(result?.artifact) ? result.artifact : {}, bundle);
  if (!items) return undefined;
  const addressOf = new Map(items.map(({ bundleId, itemId, address }) => [`${bundleId}/${itemId}`, address]));
  const contracts: DeployedContract[] = [];
  for (const { id, kind, reuse, ostcId, bundleId, text } of deploymentSteps(bundle)) {
    const address = addressOf.get(id);
    if (address === undefined) return undefined;
    contracts.push({
      id,
      kind,
      address,
      text: kind === 'xrc137' ? text : resolvedText(bundle, bundleId, addressOf),
      ...(reuse !== undefined && { reuse }),
      ...(ostcId !== undefined && { ostcId }),
    });
  }
  return contracts;
}

const bundleOf = ({ bundle }: JsonObject): Fields => (isFields(bundle) ? bundle : {});

/** The orchestration's text with the addresses that the result names for its rules. */
function resolvedText(bundle: Fields, bundleId: string, addressOf: ReadonlyMap<string, string>): string {
  const items = listOf(
    member(
      listOf(bundle.bundles).find((one) => member(one, 'bundleId') === bundleId),
      'items',
    ),
  );
  const rules = new Map(
    items.map((item) => [member(member(item, 'meta'), 'alias'), `${bundleId}/${String(member(item, 'id'))}`]),
  );
  const orchestration = items.find((item) => member(member(item, 'meta'), 'type') === 'xrc729');
  return ostcText(isFields(orchestration) ? orchestration : {}, (alias) =>
    addressOf.get(rules.get(alias) ?? ''),
  );
}

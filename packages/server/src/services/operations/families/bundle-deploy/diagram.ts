/** The process of a bundle as text and graph. An invalid bundle is not drawn. */
import {
  type Fields,
  type Findings,
  isFields,
  type JsonObject,
  listOf,
  member,
  type Rejection,
  RejectionCode,
  rejectWith,
} from '@handover/core';
import {
  type MermaidOptions,
  mermaidText,
  type ProcessGraph,
  processGraph,
  rulesOfBundle,
  validateMultiBundle,
} from '@handover/evm';
import type { Outcome } from '../../../outcome.js';
import type { Documents } from '../family-documents.js';

export interface DiagramOptions extends MermaidOptions {
  readonly source: string;
  readonly includeRules?: boolean;
}

/** Of the bundle that is stored. */
export function storedDiagram({ created }: Documents, options: DiagramOptions): Outcome<JsonObject> {
  const bundle = isFields(created.bundle) ? created.bundle : {};
  return bundleDiagram(bundle, options, 'stored handoff bundle is not a valid xgr-multi-bundle@1');
}

export function bundleDiagram(bundle: Fields, options: DiagramOptions, flaw: string): Outcome<JsonObject> {
  const findings = validateMultiBundle(bundle);
  if (!findings.valid) return { rejection: invalidBundle(flaw, findings) };
  const bundles = listOf(bundle.bundles);
  const items = listOf(member(bundles[0], 'items'));
  const orchestration = items.find((item) => member(member(item, 'meta'), 'type') === 'xrc729');
  const rules = options.includeRules === false ? () => undefined : rulesOfBundle(items);
  const graph = processGraph(orchestration, rules);
  const more = {
    code: 'MULTIPLE_BUNDLES_RENDERED_FIRST_ONLY',
    message: `the first of ${bundles.length} bundles is drawn`,
  };
  const shown = bundles.length > 1 ? { ...graph, warnings: [more, ...graph.warnings] } : graph;
  return { value: drawn(options.source, 'authoring', shown, options) };
}

function invalidBundle(message: string, findings: Findings): Rejection {
  const { valid, errors, warnings } = findings;
  return rejectWith(RejectionCode.VALIDATION_ERROR, message, {
    validation: { valid, errors, warnings },
    warnings,
  } as unknown as JsonObject);
}

export function drawn(
  source: string,
  sourceTruth: string,
  graph: ProcessGraph,
  options: MermaidOptions,
): JsonObject {
  const { nodes, edges, warnings } = graph;
  return {
    source,
    sourceTruth,
    mermaid: mermaidText(graph, options),
    nodes,
    edges,
    warnings,
  } as unknown as JsonObject;
}

/** From a workflow and what the agent asks for to the request that is stored, with the diagram of the process. */
import { type Issue, isFields, type JsonObject } from '@handover/core';
import { mermaidText, processGraph } from '@handover/evm';
import type { Documents } from '../family-documents.js';
import { buildRequest, type SessionHints, type Workflow, workflowOfArtifact } from './request.js';

export interface Prepared {
  readonly request: JsonObject;
  readonly source: JsonObject;
  readonly warnings: readonly Issue[];
  readonly requiredPayload: readonly JsonObject[];
  readonly missingPayload: readonly JsonObject[];
  readonly graph?: JsonObject;
}

export type Preparing =
  | { readonly prepared: Prepared }
  | { readonly message: string; readonly errors: readonly Issue[] };

export function prepareWorkflow(workflow: Workflow, hints: SessionHints, source: JsonObject): Preparing {
  const built = buildRequest(workflow, hints);
  if (built.errors.length > 0)
    return { message: 'the sessions cannot be started as asked', errors: built.errors };
  const graph = processGraph(workflow.document, workflow.ruleOf);
  const mermaid = mermaidText(graph, { includePayloadFields: true });
  return { prepared: { ...built, source, graph: { ...graph, mermaid } as unknown as JsonObject } };
}

export interface ArtifactHints {
  readonly hints: SessionHints;
  readonly handle: string;
  readonly ostcId?: string;
  readonly ostcHash?: string;
}

/** From what a bundle deploy made; undefined: it has made nothing yet. */
export function prepareFromArtifact({ result }: Documents, asked: ArtifactHints): Preparing | undefined {
  const artifact = result?.artifact;
  if (!isFields(artifact)) return undefined;
  const { hints, handle, ostcId, ostcHash } = asked;
  const workflow = workflowOfArtifact(artifact, {
    ...(ostcId !== undefined && { ostcId }),
    ...(ostcHash !== undefined && { ostcHash }),
  });
  if (workflow)
    return prepareWorkflow(workflow, hints, { type: 'bundle_deploy_result', bundleDeployHandle: handle });
  const message = 'the deployed artifact names no XRC-729 address';
  return {
    message,
    errors: [{ level: 'error', code: 'ORCHESTRATION_INVALID', message, path: 'bundleDeployHandle' }],
  };
}

/** The canonical request of a session start, made from what the agent gave and what is on the chain. */
import { type Fields, type Issue, isFields, isText, type JsonObject, listOf, member } from '@handover/core';
import { entrySteps, isAddress, isBytes32, readSteps, requiredInputs } from '@handover/evm';
import { warn } from './warnings.js';

export interface SessionHints {
  readonly sessions?: readonly JsonObject[];
  readonly stepId?: string;
  readonly payload?: JsonObject;
  readonly maxTotalGas?: number;
  readonly expiry?: number;
  readonly signing?: JsonObject;
  readonly executorGrants?: JsonObject;
  readonly execution?: JsonObject;
  readonly ui?: JsonObject;
  readonly security?: JsonObject;
  readonly summary?: JsonObject;
}

export interface Workflow {
  readonly orchestration: string;
  readonly ostcId: string;
  readonly ostcHash?: string;
  /** `{id, structure}` */
  readonly document: unknown;
  readonly ruleOf: (rule: string) => Fields | undefined;
}

export interface PayloadField {
  readonly [key: string]: string | boolean;
  readonly session: string;
  readonly stepId: string;
  readonly field: string;
  readonly type: string;
}

export interface BuiltRequest {
  readonly request: JsonObject;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly requiredPayload: readonly PayloadField[];
  readonly missingPayload: readonly PayloadField[];
}

const error = (code: string, message: string, path?: string): Issue => ({
  level: 'error',
  code,
  message,
  ...(path !== undefined && { path }),
});
export function buildRequest(workflow: Workflow, hints: SessionHints): BuiltRequest {
  const errors: Issue[] = [];
  const warnings: Issue[] = [];
  const steps = readSteps(workflow.document).steps;
  if (steps.length === 0)
    errors.push(error('RUNTIME_STRUCTURE_UNAVAILABLE', 'the orchestration has no readable steps'));
  if (workflow.ostcHash === undefined)
    warnings.push(
      warn('OSTC_HASH_UNAVAILABLE', 'the hash of the orchestration is not known; no version is pinned'),
    );
  const entry = inferred(entrySteps(steps), steps[0]?.id);
  const given: readonly JsonObject[] = hints.sessions && hints.sessions.length > 0 ? hints.sessions : [{}];
  const required: PayloadField[] = [];
  const missing: PayloadField[] = [];
  const sessions = given.map((hint, i) => {
    const asked = hint.stepId ?? hints.stepId;
    const stepId = isText(asked) ? asked : entry.stepId;
    const step = steps.find(({ id }) => id === stepId);
    if (!isText(asked) && !entry.sure && stepId !== undefined)
      warnings.push(
        warn(
          'ENTRY_STEP_INFERRED_LOW_CONFIDENCE',
          `several steps could be the first; ${stepId} was taken`,
          `sessions.${i}.stepId`,
        ),
      );
    if (!step)
      errors.push(
        error('STEP_UNRESOLVED', 'stepId names no step of the orchestration', `sessions.${i}.stepId`),
      );
    const payload = hint.payload ?? hints.payload ?? {};
    const rule = step?.rule === undefined ? undefined : workflow.ruleOf(step.rule);
    for (const field of rule ? requiredInputs(rule) : []) {
      const type = member(member(rule?.payload, field), 'type');
      const one = { session: String(i), stepId: stepId ?? '', field, type: isText(type) ? type : '' };
      required.push(one);
      if (isEmpty(member(payload, field))) missing.push(one);
    }
    const expiry = hint.expiry ?? hints.expiry;
    return {
      ...(hint.__uid !== undefined && { __uid: hint.__uid }),
      orchestration: workflow.orchestration,
      ostcId: workflow.ostcId,
      ...(workflow.ostcHash !== undefined && { ostcHash: workflow.ostcHash }),
      stepId: stepId ?? '',
      payload,
      maxTotalGas: hint.maxTotalGas ?? hints.maxTotalGas ?? 0,
      ...(expiry !== undefined && { expiry }),
      ...(hint.starterAddress !== undefined && { starterAddress: hint.starterAddress }),
    };
  });
  if (missing.length > 0)
    warnings.push(
      warn(
        'PAYLOAD_FIELDS_MISSING',
        `required fields without a value: ${missing.map(({ field }) => field).join(', ')}`,
      ),
    );
  return {
    request: withDefaults(sessions as unknown as readonly JsonObject[], hints),
    errors,
    warnings,
    requiredPayload: required,
    missingPayload: missing,
  };
}

/** Undefined, null, and an empty text, list or object are no value; 0 and false are values. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

function inferred(
  entries: readonly string[],
  first: string | undefined,
): { stepId: string | undefined; sure: boolean } {
  return entries.length === 1 ? { stepId: entries[0], sure: true } : { stepId: first, sure: false };
}

function withDefaults(sessions: readonly JsonObject[], hints: SessionHints): JsonObject {
  const queue = sessions.length > 1;
  const { execution, signing, executorGrants, ui, security, summary } = hints;
  return {
    type: 'xdala_session_start',
    version: 'xgr-session-start@1',
    mode: queue ? 'queue' : 'single',
    sessions,
    ...(summary && { summary }),
    execution: {
      startPolicy: 'manual',
      verifyOnChain: true,
      stopOnStartFailure: true,
      stopOnVerifyFailure: true,
      sessionConcurrency: 1,
      ...execution,
    },
    signing: { mode: 'wallet', allowWalletFallback: false, ...signing },
    ...(executorGrants && { executorGrants }),
    ui: { openMode: queue ? 'queue' : 'import', highlightStartAction: true, ...ui },
    security: { redactSecretsInLogs: true, maxPayloadBytes: 10_485_760, ...security },
  };
}

export function withChain(request: JsonObject, handle: string, network: string, chainId: number): JsonObject {
  const chain = isFields(request.chain) ? (request.chain as JsonObject) : {};
  return {
    ...request,
    handle,
    chain: {
      ...chain,
      network,
      requiredChainIdHex: `0x${chainId.toString(16)}`,
      requiredChainIdDec: String(chainId),
      rpcPolicy: 'useOpsConnectedRpc',
    },
  };
}

/** The workflow that a deployed bundle made: its orchestration, with the rules that were deployed beside it. */
export function workflowOfArtifact(
  artifact: Fields,
  asked: { ostcId?: string; ostcHash?: string },
): Workflow | undefined {
  const direct = listOf(artifact.items);
  const items = direct.length > 0 ? direct : listOf(member(listOf(artifact.bundles)[0], 'items'));
  const item = items.find((one) => member(member(one, 'meta'), 'type') === 'xrc729') ?? artifact;
  const meta = member(item, 'meta');
  const address = [member(item, 'address'), member(meta, 'deployedAddress')].find(isAddress);
  if (address === undefined) return undefined;
  const ids = [asked.ostcId, member(item, 'ostcId'), member(item, 'id'), member(meta, 'ostcId'), 'default'];
  const hash = [asked.ostcHash, member(item, 'ostcHash')].find(isBytes32);
  const rules = new Map<string, Fields>();
  for (const one of items.filter(isFields)) {
    const alias = member(one.meta, 'alias');
    if (isText(alias)) rules.set(`cm:xrc137:${alias}`, one);
    for (const at of [one.address, member(one.meta, 'deployedAddress')])
      if (isAddress(at)) rules.set(at.toLowerCase(), one);
  }
  return {
    orchestration: address.toLowerCase(),
    ostcId: ids.find(isText) ?? 'default',
    ...(hash !== undefined && { ostcHash: hash }),
    document: item,
    ruleOf: (rule) => rules.get(rule) ?? rules.get(rule.toLowerCase()),
  };
}

/** create_xdala_session_start_handoff: reads the chain, builds the canonical request, refuses what would not start. */
import {
  CallKind,
  Family,
  type Issue,
  isFields,
  isText,
  type Json,
  type JsonObject,
  listOf,
  member,
  OperationStatus,
  RejectionCode,
  reject,
  Verification,
} from '@handover/core';
import {
  isAddress,
  isBytes32,
  isMistyped,
  MISTYPED,
  operationDigest,
  redactSecrets,
  validateSessionStart,
} from '@handover/evm';
import type { Principal } from '../../../../auth/principal.js';
import type { ChainClient, Hex } from '../../../../chain/port.js';
import { readOstcText } from '../../../../chain/read-xrc.js';
import type { Outcome, Refused } from '../../../outcome.js';
import { answered } from '../../answered.js';
import { hashOnChain, parsed, quietly, rulesOnChain } from '../../chain-documents.js';
import type { OperationDependencies } from '../../dependencies.js';
import { documentBytes } from '../../document.js';
import { operationRef } from '../../ids.js';
import { invalidRequest } from '../../invalid-request.js';
import { idFor, issue } from '../../issue.js';
import { keyIn } from '../../key-refusal.js';
import { readRecord } from '../../record.js';
import { repeatable } from '../../repeatable.js';
import { authorityFor } from './authority.js';
import { type Prepared, type Preparing, prepareWorkflow } from './prepare.js';
import { reachChain } from './reach.js';
import { type SessionHints, withChain } from './request.js';
import { secretValues } from './secret-values.js';
import { sessionStartService } from './session-start.js';
import { NOT_READ, warn } from './warnings.js';

export interface SessionStartArguments extends SessionHints {
  readonly source: 'runtime' | 'bundle_deploy_result' | 'direct';
  readonly network: string;
  readonly chainId?: number;
  readonly orchestration?: string;
  readonly ostcId?: string;
  readonly ostcHash?: string;
  readonly bundleDeployHandle?: string;
  readonly request?: JsonObject;
  readonly expectedSigner?: string;
  readonly walletAddress?: string;
  readonly ttlSeconds?: number;
  readonly idempotencyKey?: string;
  readonly replaces?: string;
}

const refused = (message: string) => ({ rejection: reject(RejectionCode.VALIDATION_ERROR, message) });

export async function createSessionStart(
  deps: OperationDependencies,
  principal: Principal,
  args: SessionStartArguments,
): Promise<Outcome<JsonObject>> {
  if (!isText(args.network)) return refused('network is missing');
  const key = await keyIn(deps, args);
  if (key) return { rejection: key };
  const reached = await reachChain(deps, principal, args);
  if ('rejection' in reached) return reached;
  const { chainId, client } = reached.value;
  const preparing = await prepare(deps, principal, args, client);
  if ('rejection' in preparing) return preparing;
  const { value: ready } = preparing;
  const id = idFor(deps, principal, sessionStartService, args.idempotencyKey);
  const request = withChain(ready.request, id, args.network, chainId);
  const findings = validateSessionStart(request);
  if (!findings.valid)
    return { rejection: invalidRequest('the session start request is not valid', findings) };
  const signer = [args.expectedSigner, args.walletAddress].find(isAddress)?.toLowerCase();
  const sessions = listOf(request.sessions);
  const authority = await authorityFor(
    client,
    sessions.map((one) => String(member(one, 'orchestration'))),
    signer,
  );
  const warnings = [...ready.warnings, ...(client ? authorityWarnings(authority) : [NOT_READ])];
  const secrets = secretValues(request);
  const redacted = redactSecrets(request) as JsonObject;
  const issued = await issue(deps, principal, sessionStartService, {
    id,
    chainId,
    ...(args.ttlSeconds !== undefined && { ttlSeconds: args.ttlSeconds }),
    digest: operationDigest(chainId, { request }, deps.codec),
    ...repeatable(args),
    steps: listOf(redacted.sessions).map((session, i) => ({
      id: `sessions.${i}`,
      asked: askedOf(session),
      call: { kind: CallKind.Session, to: String(member(session, 'orchestration')).toLowerCase() },
    })),
    ...(signer !== undefined && { signer }),
    document: documentBytes(deps.codec, {
      network: args.network,
      chainId,
      source: ready.source,
      request: redacted,
      ...(secrets && { secretDigests: secrets.digests }),
      authority,
      validation: {
        valid: true,
        errors: [],
        warnings,
        requiredPayload: ready.requiredPayload,
        missingPayload: ready.missingPayload,
      },
      ...(ready.graph && { graph: ready.graph }),
    }),
    ...(secrets && { sealed: secrets.values }),
  });
  if ('rejection' in issued) return issued;
  return answered(deps, sessionStartService, issued.value);
}

/** What is started with which values: how it is called and limited does not matter. */
const askedOf = (session: unknown): Json =>
  ['orchestration', 'ostcId', 'stepId', 'payload'].map((key) => (member(session, key) ?? null) as Json);

async function prepare(
  deps: OperationDependencies,
  principal: Principal,
  args: SessionStartArguments,
  client: ChainClient | undefined,
): Promise<Outcome<Prepared>> {
  switch (args.source) {
    case 'direct':
      return direct(args);
    case 'runtime':
      // Only a whole request gets here without one.
      return client ? fromRuntime(args, client) : UNREADABLE;
    case 'bundle_deploy_result':
      return fromBundle(deps, principal, args);
  }
}

function direct({ request, network }: SessionStartArguments): Outcome<Prepared> {
  if (!isFields(request)) return refused('request is required for source direct');
  if (Object.hasOwn(request, 'handle')) return refused('request.handle must be omitted: the server gives it');
  const named = member(request.chain, 'network');
  if (named !== undefined && named !== network) return refused('request.chain.network and network differ');
  return {
    value: { request, source: { type: 'direct' }, warnings: [], requiredPayload: [], missingPayload: [] },
  };
}

async function fromRuntime(args: SessionStartArguments, client: ChainClient): Promise<Outcome<Prepared>> {
  const { orchestration, ostcId } = args;
  if (!isAddress(orchestration))
    return issues(
      'ORCHESTRATION_INVALID',
      'orchestration must be the address of an XRC-729 contract',
      'orchestration',
    );
  if (isMistyped(orchestration)) return issues('ORCHESTRATION_INVALID', MISTYPED, 'orchestration');
  if (!isText(ostcId)) return issues('OSTC_ID_MISSING', 'ostcId is required for source runtime', 'ostcId');
  const address = orchestration.toLowerCase() as Hex;
  const text = await quietly(readOstcText(client, address, ostcId));
  const document = text === undefined ? undefined : parsed(text);
  if (document === undefined) return UNREADABLE;
  const rules = await rulesOnChain(client, document);
  const ostcHash = isBytes32(args.ostcHash) ? args.ostcHash : await hashOnChain(client, address, ostcId);
  const ruleOf = (rule: string) => rules.get(rule.toLowerCase());
  const workflow = {
    orchestration: address,
    ostcId,
    ...(ostcHash !== undefined && { ostcHash }),
    document,
    ruleOf,
  };
  return prepared(prepareWorkflow(workflow, args, { type: 'runtime', orchestration: address, ostcId }));
}

async function fromBundle(
  deps: OperationDependencies,
  principal: Principal,
  args: SessionStartArguments,
): Promise<Outcome<Prepared>> {
  const { bundleDeployHandle: handle } = args;
  const record = isText(handle) ? await readRecord(deps, operationRef(principal.tenant, handle)) : undefined;
  const isOwn = record?.state.family === Family.BundleDeploy && record.state.creator === principal.agent;
  const own = isOwn ? record : undefined;
  // What the result names is used, so it is the result that must have been shown.
  const isShown = own?.state.result?.verification === Verification.Matched;
  if (!own || own.state.status !== OperationStatus.Deployed || !isShown) return NOT_DEPLOYED;
  const { ostcId, ostcHash } = args;
  const derived = await deps.documents.derive(own, 'prepareFromArtifact', {
    hints: args,
    handle: String(handle),
    ...(ostcId !== undefined && { ostcId }),
    ...(ostcHash !== undefined && { ostcHash }),
  });
  if ('rejection' in derived) return derived;
  return derived.value ? prepared(derived.value) : NOT_DEPLOYED;
}

const UNREADABLE = issues(
  'RUNTIME_STRUCTURE_UNAVAILABLE',
  'the orchestration cannot be read from the chain',
  'orchestration',
);

const NOT_DEPLOYED = refused('bundle deploy handoff must exist with status deployed');

function prepared(preparing: Preparing): Outcome<Prepared> {
  return 'prepared' in preparing
    ? { value: preparing.prepared }
    : { rejection: invalidRequest(preparing.message, preparing) };
}

function issues(code: string, message: string, path: string): Refused {
  return { rejection: invalidRequest(message, { errors: [{ level: 'error', code, message, path }] }) };
}

function authorityWarnings({ authorityStatus, executors }: JsonObject): readonly Issue[] {
  if (authorityStatus === 'authority_unavailable')
    return [warn('AUTHORITY_UNAVAILABLE', 'who may start could not be read from the contract')];
  return executors === undefined
    ? [warn('EXECUTOR_LIST_UNAVAILABLE', 'the contract has no readable list of executors')]
    : [];
}

/**
 * `xgr-session-start@1`: the request that starts sessions (docs/spec/operations.md 6.1 and 6.3). Unknown keys are errors
 * at the top and inside a session: `entryStepId` is not a field of either.
 */
import {
  checkPayloadSecrets,
  FAMILIES,
  Family,
  type Fields,
  type Findings,
  hasKeyMaterialInSessionRequest,
  Issues,
  isFields,
  isText,
  isWhole,
  KEY_MATERIAL_CODE,
  KEY_MATERIAL_MESSAGE,
  member,
  refuseSecrets,
} from '@handover/core';
import { isAddress, isBytes32, isMistyped, MISTYPED } from '../shapes.js';

export const SESSION_START_TYPE = 'xdala_session_start';
export const SESSION_START_VERSION = 'xgr-session-start@1';
export const MAX_SESSIONS = 100;

const SECTIONS = ['summary', 'execution', 'signing', 'executorGrants', 'chain', 'ui', 'security'] as const;
const KEYS = new Set(['type', 'version', 'handle', 'mode', 'sessions', ...SECTIONS]);
const SESSION_KEYS = new Set([
  'orchestration',
  'ostcId',
  'stepId',
  'payload',
  'maxTotalGas',
  'ostcHash',
  'expiry',
  'starterAddress',
  '__uid',
]);
const { idShape: HANDLE } = FAMILIES[Family.SessionStart];
const RPC_POLICY = 'useOpsConnectedRpc';

export function validateSessionStart(request: unknown): Findings {
  const issues = new Issues();
  if (isFields(request)) check(request, issues);
  else issues.error('REQUEST_INVALID', undefined, 'the request must be an object');
  return issues.findings();
}

function check(request: Fields, issues: Issues): void {
  for (const key of Object.keys(request))
    if (!KEYS.has(key)) issues.error('ADDITIONAL_PROPERTY', key, `${key} is not a field of the request`);
  if (request.type !== SESSION_START_TYPE)
    issues.error('TYPE_INVALID', 'type', `type must be "${SESSION_START_TYPE}"`);
  if (request.version !== SESSION_START_VERSION)
    issues.error('VERSION_INVALID', 'version', `version must be "${SESSION_START_VERSION}"`);
  // Whoever prepares a request has no handle yet: the server gives it.
  if (request.handle !== undefined && !(typeof request.handle === 'string' && HANDLE.test(request.handle)))
    issues.error('HANDLE_INVALID', 'handle', 'handle must be an ss_ handle');
  if (request.mode !== undefined && request.mode !== 'single' && request.mode !== 'queue')
    issues.error('MODE_INVALID', 'mode', 'mode must be single or queue');
  for (const key of SECTIONS)
    if (request[key] !== undefined && !isFields(request[key]))
      issues.error('REQUEST_INVALID', key, `${key} must be an object`);
  checkSections(request, issues);
  const { sessions } = request;
  if (!Array.isArray(sessions) || sessions.length < 1 || sessions.length > MAX_SESSIONS)
    issues.error('SESSIONS_INVALID', 'sessions', `sessions must be a list of 1 to ${MAX_SESSIONS}`);
  else for (const [i, session] of sessions.entries()) checkSession(session, `sessions.${i}`, issues);
  refuseSecrets(withoutPayloads(request), issues);
  if (hasKeyMaterialInSessionRequest(request))
    issues.error(KEY_MATERIAL_CODE, undefined, KEY_MATERIAL_MESSAGE);
}

function checkSections({ execution, chain, security }: Fields, issues: Issues): void {
  const concurrency = member(execution, 'sessionConcurrency');
  if (concurrency !== undefined && concurrency !== 1)
    issues.error(
      'CONCURRENCY_INVALID',
      'execution.sessionConcurrency',
      'sessions start one after another: 1',
    );
  const policy = member(chain, 'rpcPolicy');
  if (policy !== undefined && policy !== RPC_POLICY)
    issues.error('RPC_POLICY_INVALID', 'chain.rpcPolicy', `rpcPolicy must be "${RPC_POLICY}"`);
  const redact = member(security, 'redactSecretsInLogs');
  if (redact !== undefined && redact !== true)
    issues.error('REDACTION_INVALID', 'security.redactSecretsInLogs', 'secrets are always redacted: true');
}

function checkSession(session: unknown, path: string, issues: Issues): void {
  if (!isFields(session)) {
    issues.error('SESSION_INVALID', path, 'a session must be an object');
    return;
  }
  const flaw = (code: string, key: string, message: string) => issues.error(code, `${path}.${key}`, message);
  for (const key of Object.keys(session))
    if (!SESSION_KEYS.has(key))
      flaw(
        'ADDITIONAL_PROPERTY',
        key,
        key === 'entryStepId' ? 'use stepId' : `${key} is not a field of a session`,
      );
  if (!isAddress(session.orchestration))
    flaw('ORCHESTRATION_INVALID', 'orchestration', 'must be the address of an XRC-729 contract');
  else if (isMistyped(session.orchestration)) flaw('ORCHESTRATION_INVALID', 'orchestration', MISTYPED);
  if (!isText(session.ostcId)) flaw('OSTC_ID_INVALID', 'ostcId', 'ostcId is missing');
  if (!isText(session.stepId)) flaw('STEP_ID_INVALID', 'stepId', 'stepId is missing');
  if (!isWhole(session.maxTotalGas))
    flaw('MAX_GAS_INVALID', 'maxTotalGas', 'must be a whole number, 0 (no cap) or more');
  if (session.ostcHash !== undefined && !isBytes32(session.ostcHash))
    flaw('OSTC_HASH_INVALID', 'ostcHash', 'must be 0x and 64 hex digits');
  if (session.expiry !== undefined && !isWhole(session.expiry, 1))
    flaw('EXPIRY_INVALID', 'expiry', 'must be Unix seconds, above 0');
  if (session.starterAddress !== undefined && !isAddress(session.starterAddress))
    flaw('STARTER_INVALID', 'starterAddress', 'must be 0x and 40 hex digits');
  else if (isMistyped(session.starterAddress)) flaw('STARTER_INVALID', 'starterAddress', MISTYPED);
  if (isFields(session.payload)) checkPayload(session.payload, `${path}.payload`, issues);
  else flaw('PAYLOAD_INVALID', 'payload', 'payload must be an object');
}

function checkPayload(payload: Fields, path: string, issues: Issues): void {
  checkPayloadSecrets(payload, issues, path);
  for (const [key, value] of Object.entries(payload)) {
    if (key === '__wakeup') issues.error('LEGACY_WAKEUP_INVALID', `${path}.${key}`, 'the key is __wakeUp');
    if (key === '__wakeUp' && typeof value !== 'string' && (typeof value !== 'object' || value === null))
      issues.error('WAKEUP_INVALID', `${path}.${key}`, 'must be an object, a list or text');
  }
}

/** A payload checks its own. */
function withoutPayloads(request: Fields): Fields {
  const { sessions } = request;
  if (!Array.isArray(sessions)) return request;
  const rest = sessions.map((session: unknown) =>
    isFields(session) && isFields(session.payload) ? { ...session, payload: null } : session,
  );
  return { ...request, sessions: rest };
}

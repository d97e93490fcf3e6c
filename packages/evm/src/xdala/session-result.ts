/** The result of a session start (docs/spec/operations.md 6.7): its shape, and whether it is about the stored request. */
import {
  canonicalJson,
  type Fields,
  hasUnredactedSecret,
  isDateTime,
  isFields,
  isText,
  isWhole,
  type Json,
  listOf,
  member,
} from '@handover/core';
import { isAddress } from '../shapes.js';
import { MAX_SESSIONS, SESSION_START_TYPE, SESSION_START_VERSION } from './session-start.js';

export type SessionResultStatus = 'completed' | 'partial' | 'failed' | 'cancelled';

const KEYS = ['handle', 'type', 'status', 'completedAt', 'inputType', 'originalRequest', 'results'];
const STATUSES: readonly SessionResultStatus[] = ['completed', 'partial', 'failed', 'cancelled'];
const REQUEST_KEYS = new Set(['type', 'version', 'handle', 'summary', 'mode', 'sessions', 'chain']);
const CHAIN_KEYS = new Set(['network', 'requiredChainIdHex', 'requiredChainIdDec']);
const OK_KEYS = new Set(['ok', 'index', 'status', 'sessionId', 'owner', 'starter', 'pid']);
const FAILED_KEYS = new Set(['ok', 'index', 'status', 'stage', 'starter', 'error']);
const FAILED_WORDS = new Set<unknown>(['failed', 'cancelled', 'not_started']);
const STAGES = new Set<unknown>(['start', 'cancelled', 'not_started']);

/** What is wrong with the body, or undefined. */
export function sessionResultFlaw(body: unknown, handle: string): string | undefined {
  if (!isFields(body)) return 'the body must be an object';
  if (hasUnredactedSecret(body)) return 'sensitive values must read "[redacted]"';
  const extra = Object.keys(body).find((key) => !KEYS.includes(key));
  if (extra !== undefined) return `${extra} is not a field of a result`;
  if (body.handle !== handle) return 'handle is not that of the address';
  if (body.type !== 'xdala_session_start_result') return 'type must be xdala_session_start_result';
  if (!STATUSES.some((status) => status === body.status)) return 'status is none of the four';
  if (!isDateTime(body.completedAt)) return 'completedAt must be a date-time with a zone';
  if (body.inputType !== 'singleSession' && body.inputType !== 'sessionQueue')
    return 'inputType must be singleSession or sessionQueue';
  const flaw = requestFlaw(body.originalRequest, handle);
  if (flaw !== undefined) return flaw;
  const { results } = body;
  if (!Array.isArray(results)) return 'results must be a list';
  if (results.length !== listOf(member(body.originalRequest, 'sessions')).length)
    return 'results and sessions differ in number';
  for (const [i, entry] of results.entries()) {
    const wrong = entryFlaw(entry);
    if (wrong !== undefined) return `results.${i}: ${wrong}`;
  }
  return reconciled(body.status, results) ? undefined : 'status does not fit the results';
}

function requestFlaw(request: unknown, handle: string): string | undefined {
  if (!isFields(request)) return 'originalRequest must be an object';
  if (Object.keys(request).some((key) => !REQUEST_KEYS.has(key)))
    return 'originalRequest has a field too many';
  if (request.type !== SESSION_START_TYPE || request.version !== SESSION_START_VERSION)
    return 'originalRequest has another type or version';
  if (request.handle !== handle) return 'originalRequest.handle is not that of the address';
  if (request.chain !== undefined) {
    if (!isFields(request.chain) || Object.keys(request.chain).some((key) => !CHAIN_KEYS.has(key)))
      return 'originalRequest.chain has a field too many';
  }
  const { sessions } = request;
  if (!Array.isArray(sessions) || sessions.length < 1 || sessions.length > MAX_SESSIONS)
    return `originalRequest.sessions must be a list of 1 to ${MAX_SESSIONS}`;
  return sessions.every(isSession) ? undefined : 'a session of originalRequest is not complete';
}

function isSession(session: unknown): boolean {
  return (
    isFields(session) &&
    isAddress(session.orchestration) &&
    isText(session.ostcId) &&
    isText(session.stepId) &&
    isFields(session.payload) &&
    isWhole(session.maxTotalGas) &&
    !Object.hasOwn(session, '__uid')
  );
}

function entryFlaw(entry: unknown): string | undefined {
  if (!isFields(entry)) return 'must be an object';
  const keys = entry.ok === true ? OK_KEYS : FAILED_KEYS;
  if (Object.keys(entry).some((key) => !keys.has(key))) return 'has a field too many';
  if (entry.index !== undefined && !isWhole(entry.index)) return 'index must be a whole number';
  for (const key of ['owner', 'starter'])
    if (entry[key] !== undefined && !isAddress(entry[key])) return `${key} must be an address`;
  if (entry.ok === true) {
    if (entry.status !== 'started') return 'status must be started';
    return isText(entry.sessionId) ? undefined : 'sessionId must be text';
  }
  if (entry.ok !== false) return 'ok must be true or false';
  if (!FAILED_WORDS.has(entry.status)) return 'status must be failed, cancelled or not_started';
  if (!STAGES.has(entry.stage)) return 'stage must be start, cancelled or not_started';
  return isText(entry.error) ? undefined : 'error is missing';
}

function reconciled(status: unknown, results: readonly unknown[]): boolean {
  const ok = results.filter((entry) => member(entry, 'ok') === true).length;
  if (ok === results.length) return status === 'completed';
  return ok > 0 ? status === 'partial' : status === 'failed' || status === 'cancelled';
}

/** Compared by number, orchestration, ostcId, stepId, maxTotalGas and payload, keys with two underscores aside. */
export function isAboutRequest(body: Fields, stored: Fields): boolean {
  const said = listOf(member(body.originalRequest, 'sessions'));
  const meant = listOf(stored.sessions);
  return said.length === meant.length && said.every((session, i) => sameSession(session, meant[i]));
}

function sameSession(said: unknown, meant: unknown): boolean {
  const folded = (session: unknown) => String(member(session, 'orchestration')).toLowerCase();
  const same = (key: string) => member(said, key) === member(meant, key);
  return (
    folded(said) === folded(meant) &&
    same('ostcId') &&
    same('stepId') &&
    same('maxTotalGas') &&
    plainPayload(said) === plainPayload(meant)
  );
}

function plainPayload(session: unknown): string {
  const payload = member(session, 'payload');
  const plain = isFields(payload) ? Object.entries(payload).filter(([key]) => !key.startsWith('__')) : [];
  return canonicalJson(Object.fromEntries(plain) as Json);
}

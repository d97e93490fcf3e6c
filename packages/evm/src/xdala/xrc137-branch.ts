/** A rule's outcome: what it hands on, calls, grants, wakes up. */
import { below, type Fields, type Issues, isFields, isText, isWhole } from '@handover/core';
import { isAddress, isMistyped, MISTYPED } from '../shapes.js';
import { count, Limit, texts } from './limits.js';
import { isIdentifier, isRunnerPlaceholder } from './shapes.js';
import { checkTypedValue } from './typed-value.js';

const BRANCH_KEYS = new Set([
  'waitSec',
  'payload',
  'execution',
  'encryptLogs',
  'logExpireDays',
  'grants',
  'wakeUps',
]);
const EXECUTION_KEYS = new Set(['to', 'function', 'args', 'value', 'gas', 'extras']);
const GRANT_KEYS = new Set(['address', 'rights', 'expireDays', 'logExpireDays']);
const WAKEUP_KEYS = new Set(['runner', 'sessionId', 'stepId', 'payload']);

export function checkBranch(branch: unknown, path: string, steps: ReadonlySet<string>, issues: Issues): void {
  if (!isFields(branch)) {
    issues.error('XRC137_BRANCH_NOT_OBJECT', path, 'a branch must be an object');
    return;
  }
  issues.onlyKeys(branch, BRANCH_KEYS, 'XRC137_BRANCH_FIELD_INVALID', path);
  const { waitSec, payload, execution, encryptLogs, logExpireDays, grants, wakeUps } = branch;
  if (waitSec !== undefined && !Number.isSafeInteger(waitSec) && !isText(waitSec))
    issues.error(
      'XRC137_BRANCH_WAITSEC_INVALID',
      `${path}.waitSec`,
      'must be a whole number or an expression',
    );
  if (payload !== undefined) checkOutcome(payload, `${path}.payload`, issues);
  if (encryptLogs !== undefined && typeof encryptLogs !== 'boolean')
    issues.error('XRC137_BRANCH_ENCRYPT_LOGS_INVALID', `${path}.encryptLogs`, 'must be true or false');
  if (logExpireDays !== undefined && !isWhole(logExpireDays))
    issues.error('XRC137_BRANCH_LOG_EXPIRE_DAYS_INVALID', `${path}.logExpireDays`, 'must be a whole number');
  if (execution !== undefined) checkExecution(execution, `${path}.execution`, issues);
  if (grants !== undefined) checkGrants(grants, `${path}.grants`, issues);
  if (wakeUps !== undefined) checkWakeUps(wakeUps, `${path}.wakeUps`, steps, issues);
}

function checkOutcome(payload: unknown, path: string, issues: Issues): void {
  if (!isFields(payload)) {
    issues.error('XRC137_BRANCH_PAYLOAD_INVALID', path, 'payload must be an object');
    return;
  }
  if (!count(issues, path, Object.keys(payload).length, Limit.outcomeKeys, 'keys')) return;
  for (const [name, value] of Object.entries(payload)) {
    const at = below(path, name);
    if (!isIdentifier(name)) issues.error('XRC137_BRANCH_PAYLOAD_FIELD_INVALID', at, 'is not an identifier');
    if (
      isFields(value) &&
      'type' in value &&
      Object.keys(value).every((key) => key === 'type' || key === 'default')
    )
      issues.error('XRC137_BRANCH_PAYLOAD_SCHEMA_INVALID', at, 'hands on a schema; write the value itself');
    texts(issues, at, value);
  }
}

function checkExecution(execution: unknown, path: string, issues: Issues): void {
  if (!isFields(execution)) {
    issues.error('XRC137_EXECUTION_NOT_OBJECT', path, 'execution must be an object');
    return;
  }
  issues.onlyKeys(execution, EXECUTION_KEYS, 'XRC137_EXECUTION_FIELD_INVALID', path);
  const { args, value, gas } = execution;
  if (args !== undefined && !Array.isArray(args))
    issues.error('XRC137_EXECUTION_ARGS_INVALID', `${path}.args`, 'args must be a list');
  if (Array.isArray(args) && count(issues, `${path}.args`, args.length, Limit.execArgs, 'arguments'))
    for (const [i, arg] of args.entries()) checkTypedValue(arg, `${path}.args.${i}`, issues);
  if (value !== undefined) checkTypedValue(value, `${path}.value`, issues);
  if (gas !== undefined) checkGas(gas, `${path}.gas`, issues);
}

function checkGas(gas: unknown, path: string, issues: Issues): void {
  if (!isFields(gas)) {
    issues.error('XRC137_EXECUTION_GAS_INVALID', path, 'gas is {limit}');
    return;
  }
  issues.onlyKeys(gas, new Set(['limit']), 'XRC137_EXECUTION_FIELD_INVALID', path);
  if (gas.limit !== undefined && !isWhole(gas.limit) && !isText(gas.limit))
    issues.error('XRC137_EXECUTION_GAS_LIMIT_INVALID', `${path}.limit`, 'must be a whole number');
}

function checkGrants(grants: unknown, path: string, issues: Issues): void {
  if (!Array.isArray(grants)) {
    issues.error('XRC137_GRANTS_NOT_ARRAY', path, 'grants must be a list');
    return;
  }
  if (!count(issues, path, grants.length, Limit.grants, 'grants')) return;
  for (const [i, grant] of grants.entries()) {
    if (isFields(grant)) checkGrant(grant, `${path}.${i}`, issues);
    else issues.error('XRC137_GRANT_NOT_OBJECT', `${path}.${i}`, 'a grant must be an object');
  }
}

function checkGrant(grant: Fields, path: string, issues: Issues): void {
  issues.onlyKeys(grant, GRANT_KEYS, 'XRC137_GRANT_FIELD_INVALID', path);
  if (!isAddress(grant.address))
    issues.error('XRC137_GRANT_ADDRESS_INVALID', `${path}.address`, 'must be 0x and 40 hex digits');
  else if (isMistyped(grant.address))
    issues.error('XRC137_GRANT_ADDRESS_INVALID', `${path}.address`, MISTYPED);
  // A bit mask: 1 read, 2 write, 4 manage, and their sums.
  if (!isWhole(grant.rights, 1) || grant.rights > 7)
    issues.error('XRC137_GRANT_RIGHTS_INVALID', `${path}.rights`, 'must be a sum of 1, 2 and 4');
  for (const key of ['expireDays', 'logExpireDays'])
    if (grant[key] !== undefined && !isWhole(grant[key]))
      issues.error('XRC137_GRANT_DAYS_INVALID', `${path}.${key}`, 'must be a whole number, 0 or more');
}

function checkWakeUps(wakeUps: unknown, path: string, steps: ReadonlySet<string>, issues: Issues): void {
  if (!Array.isArray(wakeUps)) {
    issues.error('XRC137_WAKEUPS_NOT_ARRAY', path, 'wakeUps must be a list');
    return;
  }
  for (const [i, wakeUp] of wakeUps.entries()) {
    if (isFields(wakeUp)) checkWakeUp(wakeUp, `${path}.${i}`, steps, issues);
    else issues.error('XRC137_WAKEUP_NOT_OBJECT', `${path}.${i}`, 'a wake-up must be an object');
  }
}

function checkWakeUp(wakeUp: Fields, path: string, steps: ReadonlySet<string>, issues: Issues): void {
  issues.onlyKeys(wakeUp, WAKEUP_KEYS, 'XRC137_WAKEUP_FIELD_INVALID', path);
  const { runner, sessionId, stepId, payload } = wakeUp;
  if (!isAddress(runner) && !isRunnerPlaceholder(runner))
    issues.error('XRC137_WAKEUP_RUNNER_INVALID', `${path}.runner`, 'must be an address or [Placeholder]');
  else if (isMistyped(runner)) issues.error('XRC137_WAKEUP_RUNNER_INVALID', `${path}.runner`, MISTYPED);
  if (!isWhole(sessionId, 1) && !isText(sessionId))
    issues.error('XRC137_WAKEUP_SESSION_ID_INVALID', `${path}.sessionId`, 'must be a number above 0 or text');
  if (!isText(stepId)) issues.error('XRC137_WAKEUP_STEP_ID_INVALID', `${path}.stepId`, 'stepId is missing');
  else if (!steps.has(stepId))
    // It resumes another session, whose structure is not in this bundle.
    issues.warn('XRC137_WAKEUP_STEP_ID_INVALID', `${path}.stepId`, 'is no step of this structure');
  if (payload !== undefined && !isFields(payload))
    issues.error('XRC137_WAKEUP_PAYLOAD_INVALID', `${path}.payload`, 'payload must be an object');
}

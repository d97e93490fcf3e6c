/**
 * MACP_POLICIES_DIR: while the setting is there, the policies of that directory are the whole registry. Any flaw stops
 * the start, with the name of the file. Rules that have moved since 0.1.0 are still read where they were, with a warning.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  FaultCode,
  fileFlaw,
  HandoverError,
  isFields,
  type Json,
  type NewPolicy,
  policyFlaw,
  RulesRev,
} from '@handover/core';
import type { Engine } from '@handover/engine';
import { isDeceptive } from '../../auth/agent-name.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Log } from '../../observe/log.js';
import { readBounded } from '../../platform/read-bounded.js';
import { DEFAULT_TENANT } from '../dependencies.js';
import { policiesRef } from '../stream-refs.js';
import { structureFlaw } from './rpc/rules-text.js';

const MAX_BYTES = fixedLimits.settingFileBytes.value;
const FIELDS = ['policy_id', 'mode', 'description', 'rules', 'schema_version'];

export function readPolicyFiles(folder: string): readonly NewPolicy[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return names.map((name) => readPolicy(join(folder, name), name));
}

/** Tells the operator which files use keys that have moved. */
export function warnOfOlderKeys(policies: readonly NewPolicy[], log: Log): void {
  for (const policy of policies) {
    const flaw = policyFlaw(policy, RulesRev.Newest);
    if (flaw) log.warn('policies.older_keys', { policy: policy.policyId, message: flaw });
  }
}

/** Makes the registry equal to the files. Only differences are recorded, and running sessions keep their policies. */
export async function adoptPolicies(engine: Engine, policies: readonly NewPolicy[]): Promise<void> {
  const answer = await engine.submit({
    agent: '_runtime',
    steps: [{ stream: policiesRef(DEFAULT_TENANT, true), command: { kind: 'replaceAll', policies } }],
    bytes: JSON.stringify(policies).length,
  });
  if (!answer.ok) throw flaw(answer.rejection.message);
}

function readPolicy(path: string, name: string): NewPolicy {
  const value = parse(path, name);
  const missing = FIELDS.filter((field) => value[field] === undefined);
  if (missing.length > 0) throw flaw(`${name} lacks ${missing.join(', ')}`);
  const { policy_id, mode, description, rules, schema_version } = value;
  if (typeof policy_id !== 'string' || typeof mode !== 'string' || typeof description !== 'string')
    throw flaw(`${name}: policy_id, mode and description must be text`);
  if (!isFields(rules)) throw flaw(`${name}: rules must be an object`);
  if (typeof schema_version !== 'number') throw flaw(`${name}: schema_version must be a number`);
  const policy = { policyId: policy_id, mode, description, rules, schemaVersion: schema_version };
  const problem = isDeceptive(policy_id)
    ? 'policy_id has letters that cannot be seen, or a blank at an end or two in a row'
    : fileFlaw(policy);
  if (problem) throw flaw(`${name}: ${problem}`);
  return policy;
}

function parse(path: string, name: string): Record<string, Json> {
  let value: Json;
  try {
    const text = readBounded(path, MAX_BYTES);
    if (text === undefined) throw flaw(`${name} has more than ${MAX_BYTES} bytes`);
    value = JSON.parse(text) as Json;
    const doubt = structureFlaw(text);
    if (doubt !== undefined) throw flaw(`${name} ${doubt}`);
  } catch (cause) {
    if (cause instanceof HandoverError) throw cause;
    throw flaw(`${name} is not readable JSON`, cause);
  }
  if (!isFields(value)) throw flaw(`${name} is not a JSON object`);
  return value;
}

function flaw(message: string, cause?: unknown): HandoverError {
  return new HandoverError(FaultCode.CONFIGURATION, `MACP_POLICIES_DIR: ${message}`, { cause });
}

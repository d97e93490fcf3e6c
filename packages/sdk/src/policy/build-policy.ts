import { type JsonObject, RulesRev, rulesFlaws } from '@handover/core';
import { given, validateTexts } from '../arguments.js';
import type { PolicyDescriptor } from '../client/types.js';
import { MacpSessionError } from '../errors.js';
import { validateId } from '../validation.js';

/** Who may bind the outcome; the same in every mode. */
export interface PolicyCommitmentRules {
  /** Who may commit; the initiator alone by default. */
  readonly authority?: 'initiator_only' | 'any_participant' | 'designated_role';
  /** Senders who may commit under `designated_role`. */
  readonly designatedRoles?: readonly string[];
}

/** The blocks of rules that were given. One that is no object would be left out without a word. */
export function blocksIn<R extends object>(rules: R): R {
  for (const [name, value] of Object.entries(given('rules', rules)))
    if (value !== undefined) given(`rules.${name}`, value);
  return rules;
}

/** The block that policies of every mode have. */
export function commitmentBlock({
  authority = 'initiator_only',
  designatedRoles = [],
}: PolicyCommitmentRules) {
  return { authority, designated_roles: designatedRoles };
}

/** A block with the keys that were given; undefined, and so left out, when none was. */
export function block(
  values: Readonly<Record<string, JsonObject[string] | undefined>>,
): JsonObject | undefined {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length > 0 ? (Object.fromEntries(given) as JsonObject) : undefined;
}

/** A policy whose rules the runtime will take: core's own reader has looked at them. */
export function buildPolicy(
  mode: string,
  policyId: string,
  description: string,
  blocks: Readonly<Record<string, JsonObject | undefined>>,
  schemaVersion = 1,
): PolicyDescriptor {
  validateId('policyId', policyId);
  validateTexts({ description });
  const rules = block(blocks) ?? {};
  const flaws = rulesFlaws({ mode, rules, schemaVersion }, RulesRev.Newest);
  if (flaws.length > 0) throw new MacpSessionError(`rules: ${flaws.join('; ')}`, 'rules');
  return { policyId, mode, description, rules: JSON.stringify(rules), schemaVersion };
}

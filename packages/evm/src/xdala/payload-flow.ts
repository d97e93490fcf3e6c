/**
 * Whether every step gets what it needs. A spawned step gets the payload of the branch that spawned it and nothing else:
 * inputs are not handed on automatically. A join target gets what the producers it waits for hand on.
 */
import { type Fields, type Issues, isFields, keysOf, listOf, member } from '@handover/core';
import type { SortedItems } from './multi-bundle.js';
import { aliasOf } from './shapes.js';

const CODE = 'XRC137_REQUIRED_INPUT_NOT_PROVIDED';

export function checkFlow({ orchestrations, rules }: SortedItems, issues: Issues): void {
  const [orchestration] = orchestrations;
  if (!orchestration || !isFields(orchestration.item.structure)) return;
  const { structure } = orchestration.item;
  const byAlias = new Map(rules.map(({ item }) => [member(item.meta, 'alias'), item]));
  const ruleOf = (step: unknown): Fields | undefined =>
    typeof step === 'string' ? byAlias.get(aliasOf(member(member(structure, step), 'rule'))) : undefined;
  const check = (target: unknown, available: ReadonlySet<string>) => {
    const rule = ruleOf(target);
    if (!rule) return;
    for (const input of requiredInputs(rule))
      if (!available.has(input))
        issues.error(
          CODE,
          `${orchestration.path}.structure.${String(target)}.rule`,
          `${String(target)} needs ${input}, which nothing hands on to it`,
        );
  };
  for (const id of keysOf(structure))
    for (const branchName of ['onValid', 'onInvalid'] as const) {
      const branch = member(member(structure, id), branchName);
      const rule = ruleOf(id);
      // A rule on chain cannot be looked into: what it hands on is not known here.
      if (rule)
        for (const target of listOf(member(branch, 'spawns'))) check(target, handedOn(rule, branchName));
      const join = member(branch, 'join');
      if (isFields(join)) checkJoin(join, ruleOf, check);
    }
}

function checkJoin(
  join: Fields,
  ruleOf: (step: unknown) => Fields | undefined,
  check: (target: unknown, available: ReadonlySet<string>) => void,
): void {
  const available = new Set<string>();
  for (const entry of listOf(join.from)) {
    const rule = ruleOf(member(entry, 'node'));
    const when = member(entry, 'when') ?? 'both';
    if (!rule) return;
    if (when !== 'invalid') for (const key of handedOn(rule, 'onValid')) available.add(key);
    if (when !== 'valid') for (const key of handedOn(rule, 'onInvalid')) available.add(key);
  }
  check(join.joinid, available);
}

/** Inputs without a default. */
export function requiredInputs(rule: Fields): readonly string[] {
  return keysOf(rule.payload).filter((key) => {
    const field = member(rule.payload, key);
    return isFields(field) && !Object.hasOwn(field, 'default');
  });
}

export function handedOn(rule: Fields, branch: 'onValid' | 'onInvalid'): ReadonlySet<string> {
  return new Set(keysOf(member(rule[branch], 'payload')));
}

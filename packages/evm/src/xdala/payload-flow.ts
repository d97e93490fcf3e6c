/**
 * Whether every step gets what it needs. A spawned step gets the payload of the branch that spawned it and nothing else:
 * inputs are not handed on automatically. A join target gets what the producers it waits for hand on.
 */
import { type Fields, type Issues, isFields, keysOf, listOf, member } from '@handover/core';
import { Limit } from './limits.js';
import type { SortedItems } from './multi-bundle.js';
import { aliasOf } from './shapes.js';

const CODE = 'XRC137_REQUIRED_INPUT_NOT_PROVIDED';

/** What a rule takes and gives, worked out once for all steps that use it. */
interface RuleFlow {
  readonly required: readonly string[];
  readonly onValid: ReadonlySet<string>;
  readonly onInvalid: ReadonlySet<string>;
}

type FlowOf = (step: unknown) => RuleFlow | undefined;
type Check = (target: unknown, available: ReadonlySet<string>) => void;

/** Steps, fields or spawns beyond the engine's limits are findings of their own; their flow is not looked at. */
export function checkFlow({ orchestrations, rules }: SortedItems, issues: Issues): void {
  const [orchestration] = orchestrations;
  if (!orchestration || !isFields(orchestration.item.structure)) return;
  const { structure } = orchestration.item;
  if (keysOf(structure).length > Limit.steps) return;
  const byAlias = new Map(rules.map(({ item }) => [member(item.meta, 'alias'), flowOfRule(item)]));
  const flowOf: FlowOf = (step) =>
    typeof step === 'string' ? byAlias.get(aliasOf(member(member(structure, step), 'rule'))) : undefined;
  const check: Check = (target, available) => {
    for (const input of flowOf(target)?.required ?? [])
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
      const flow = flowOf(id);
      // A rule on chain cannot be looked into: what it hands on is not known here.
      if (flow)
        for (const target of listOf(member(branch, 'spawns')).slice(0, Limit.spawns))
          check(target, flow[branchName]);
      const join = member(branch, 'join');
      if (isFields(join)) checkJoin(join, flowOf, check);
    }
}

function checkJoin(join: Fields, flowOf: FlowOf, check: Check): void {
  const available = new Set<string>();
  for (const entry of listOf(join.from).slice(0, Limit.joinInputs)) {
    const flow = flowOf(member(entry, 'node'));
    const when = member(entry, 'when') ?? 'both';
    if (!flow) return;
    if (when !== 'invalid') for (const key of flow.onValid) available.add(key);
    if (when !== 'valid') for (const key of flow.onInvalid) available.add(key);
  }
  check(join.joinid, available);
}

function flowOfRule(rule: Fields): RuleFlow | undefined {
  if (keysOf(rule.payload).length > Limit.payloadFields) return undefined;
  const [onValid, onInvalid] = [handedOn(rule, 'onValid'), handedOn(rule, 'onInvalid')];
  if (Math.max(onValid.size, onInvalid.size) > Limit.outcomeKeys) return undefined;
  return { required: requiredInputs(rule), onValid, onInvalid };
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

/**
 * The steps of a process as the diagram needs them. Bundles are strict; what stands on a chain may be written in older
 * ways, which are read leniently here and nowhere else.
 */
import { isFields, listOf, member } from '@handover/core';

export interface DiagramJoin {
  readonly joinId: string;
  /** `any`, `all`, `kofn:N`. */
  readonly mode: string;
  readonly from: readonly { readonly node: string; readonly when: string }[];
}

export interface DiagramBranch {
  readonly spawns: readonly string[];
  readonly join?: DiagramJoin;
}

export interface DiagramStep {
  readonly id: string;
  readonly rule?: string;
  readonly onValid: DiagramBranch;
  readonly onInvalid: DiagramBranch;
}

export interface ReadSteps {
  readonly steps: readonly DiagramStep[];
  readonly warnings: readonly DiagramWarning[];
}

export interface DiagramWarning {
  readonly code: string;
  readonly message: string;
}

export function readSteps(document: unknown): ReadSteps {
  const warnings: DiagramWarning[] = [];
  const source = member(document, 'steps') ?? member(document, 'structure') ?? {};
  const found: (readonly [string, unknown])[] = Array.isArray(source)
    ? source.map((step, i) => [arrayId(step, i), step])
    : isFields(source)
      ? Object.entries(source)
      : [];
  const steps = found.map(([id, step]) => readStep(id, step, warnings));
  return { steps, warnings };
}

function arrayId(step: unknown, i: number): string {
  const id = ['id', 'stepId', 'step_id']
    .map((key) => member(step, key))
    .find((value) => typeof value === 'string');
  return typeof id === 'string' ? id : `step_${i}`;
}

function readStep(id: string, step: unknown, warnings: DiagramWarning[]): DiagramStep {
  const rule = ruleOf(step);
  return {
    id,
    ...(rule !== undefined && { rule }),
    onValid: readBranch(member(step, 'onValid') ?? member(step, 'on_valid'), id, warnings),
    onInvalid: readBranch(member(step, 'onInvalid') ?? member(step, 'on_invalid'), id, warnings),
  };
}

function ruleOf(step: unknown): string | undefined {
  for (const key of ['rule', 'ruleAddress', 'xrc137', 'rule_contract']) {
    const value = member(step, key);
    if (typeof value === 'string') return value;
    for (const inner of ['address', 'contractAddress', 'contract_address']) {
      const address = member(value, inner);
      if (typeof address === 'string') return address;
    }
  }
  return undefined;
}

function readBranch(branch: unknown, step: string, warnings: DiagramWarning[]): DiagramBranch {
  if (branch === undefined || branch === null) return { spawns: [] };
  if (typeof branch === 'string') return { spawns: [branch] };
  if (Array.isArray(branch)) return { spawns: texts(branch) };
  if (!isFields(branch)) {
    warnings.push({ code: 'INVALID_BRANCH', message: `a branch of ${step} is not an object` });
    return { spawns: [] };
  }
  const join = branch.join === undefined ? undefined : readJoin(branch.join, step, warnings);
  return { spawns: texts(listOf(branch.spawns)), ...(join && { join }) };
}

function readJoin(join: unknown, step: string, warnings: DiagramWarning[]): DiagramJoin | undefined {
  const joinId = member(join, 'joinid');
  if (!isFields(join) || typeof joinId !== 'string') {
    warnings.push({ code: 'INVALID_JOIN', message: `a join of ${step} names no step` });
    return undefined;
  }
  const from = listOf(join.from)
    .filter((entry) => typeof member(entry, 'node') === 'string')
    .map((entry) => ({
      node: String(member(entry, 'node')),
      // Left out means both outcomes; the engine says so.
      when: typeof member(entry, 'when') === 'string' ? String(member(entry, 'when')) : 'both',
    }));
  return { joinId, mode: modeLabel(join.mode), from };
}

/** Left out means any: the first producer opens the join. */
function modeLabel(mode: unknown): string {
  if (typeof mode === 'string') return mode;
  const n = member(mode, 'kofn');
  return typeof n === 'number' ? `kofn:${n}` : 'any';
}

const texts = (values: readonly unknown[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string');

/** Steps that nothing spawns, joins into or wakes: where a session can begin. */
export function entrySteps(steps: readonly DiagramStep[]): readonly string[] {
  const targets = new Set<string>();
  for (const { id, onValid, onInvalid } of steps)
    for (const { spawns, join } of [onValid, onInvalid]) {
      for (const target of spawns) if (target !== id) targets.add(target);
      if (join) targets.add(join.joinId);
    }
  return steps.map(({ id }) => id).filter((id) => !targets.has(id));
}

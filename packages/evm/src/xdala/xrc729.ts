/** The orchestration: steps, what they spawn, what they join. */
import { below, type Fields, type Issues, isFields, isText, isWhole } from '@handover/core';
import { isAddress, isMistyped, MISTYPED } from '../shapes.js';
import { checkItem } from './item-meta.js';
import { count, documentBytes, Limit, length } from './limits.js';
import { isPlaceholder, isStepId } from './shapes.js';

const ITEM_KEYS = new Set(['id', 'bundleId', 'meta', 'structure', 'name', 'address']);
const STEP_KEYS = new Set(['rule', 'id', 'onValid', 'onInvalid']);
const BRANCH_KEYS = new Set(['spawns', 'join']);
const JOIN_KEYS = new Set(['joinid', 'mode', 'waitonjoin', 'from']);
const FROM_KEYS = new Set(['node', 'when']);
const WHEN = new Set<unknown>(['valid', 'invalid', 'any', 'both']);

export function checkXrc729(item: Fields, path: string, bundleId: unknown, issues: Issues): void {
  checkItem(item, 'xrc729', ITEM_KEYS, path, bundleId, issues);
  if (item.address !== undefined && !isAddress(item.address))
    issues.error('XRC729_ADDRESS_INVALID', `${path}.address`, 'address must be 0x and 40 hex digits');
  else if (isMistyped(item.address)) issues.error('XRC729_ADDRESS_INVALID', `${path}.address`, MISTYPED);
  const { structure } = item;
  const at = `${path}.structure`;
  if (!isFields(structure) || Object.keys(structure).length === 0) {
    issues.error('XRC729_STRUCTURE_MISSING', at, 'structure must be an object with at least one step');
    return;
  }
  if (!count(issues, at, Object.keys(structure).length, Limit.steps, 'steps')) return;
  documentBytes(issues, at, structure, Limit.ostcBytes);
  for (const [id, step] of Object.entries(structure)) checkStep(id, step, structure, below(at, id), issues);
}

function checkStep(id: string, step: unknown, structure: Fields, path: string, issues: Issues): void {
  if (!isStepId(id)) issues.error('XRC729_STEP_ID_INVALID', path, 'a step id begins with a letter');
  length(issues, path, id, Limit.stepId);
  if (!isFields(step)) {
    issues.error('XRC729_STEP_NOT_OBJECT', path, 'a step must be an object');
    return;
  }
  issues.onlyKeys(step, STEP_KEYS, 'XRC729_STEP_FIELD_INVALID', path);
  if (step.id !== undefined && typeof step.id !== 'string')
    issues.error('XRC729_STEP_ID_FIELD_INVALID', `${path}.id`, 'id must be text');
  if (!isText(step.rule)) issues.error('XRC729_STEP_RULE_MISSING', `${path}.rule`, 'rule is missing');
  else if (!isAddress(step.rule) && !isPlaceholder(step.rule))
    issues.error(
      'XRC729_STEP_RULE_INVALID',
      `${path}.rule`,
      'rule must be an address or cm:xrc137:<alias> (the short form cm:<alias> is not valid)',
    );
  else if (isMistyped(step.rule)) issues.error('XRC729_STEP_RULE_INVALID', `${path}.rule`, MISTYPED);
  for (const name of ['onValid', 'onInvalid'] as const)
    if (step[name] !== undefined) checkBranch(id, step[name], structure, `${path}.${name}`, issues);
}

function checkBranch(id: string, branch: unknown, structure: Fields, path: string, issues: Issues): void {
  if (!isFields(branch)) {
    issues.error('XRC729_BRANCH_NOT_OBJECT', path, 'a branch must be an object');
    return;
  }
  issues.onlyKeys(branch, BRANCH_KEYS, 'XRC729_BRANCH_FIELD_INVALID', path);
  const { spawns, join } = branch;
  if (spawns !== undefined) checkSpawns(id, spawns, structure, `${path}.spawns`, issues);
  if (join !== undefined) checkJoin(join, structure, `${path}.join`, issues);
}

function checkSpawns(id: string, spawns: unknown, structure: Fields, path: string, issues: Issues): void {
  if (!Array.isArray(spawns) || !spawns.every((target) => typeof target === 'string')) {
    issues.error('XRC729_SPAWNS_INVALID', path, 'spawns must be a list of step ids');
    return;
  }
  if (!count(issues, path, spawns.length, Limit.spawns, 'spawns')) return;
  for (const [i, target] of spawns.entries()) {
    if (!Object.hasOwn(structure, target))
      issues.error('XRC729_SPAWN_TARGET_UNKNOWN', `${path}.${i}`, 'names no step of this structure');
    if (target === id)
      issues.warn(
        'XRC729_SELF_SPAWN_RETRY_LOOP',
        `${path}.${i}`,
        'the step spawns itself: a loop without end',
      );
  }
}

function checkJoin(join: unknown, structure: Fields, path: string, issues: Issues): void {
  if (!isFields(join)) {
    issues.error('XRC729_JOIN_NOT_OBJECT', path, 'join must be an object');
    return;
  }
  issues.onlyKeys(join, JOIN_KEYS, 'XRC729_JOIN_FIELD_INVALID', path);
  const known = (step: unknown) => typeof step === 'string' && Object.hasOwn(structure, step);
  if (!known(join.joinid))
    issues.error('XRC729_JOIN_ID_INVALID', `${path}.joinid`, 'joinid names no step of this structure');
  if (join.waitonjoin !== undefined && join.waitonjoin !== 'drain' && join.waitonjoin !== 'kill')
    issues.error('XRC729_JOIN_WAITONJOIN_INVALID', `${path}.waitonjoin`, 'must be drain or kill');
  const { from } = join;
  if (from !== undefined && !Array.isArray(from))
    issues.error('XRC729_JOIN_FROM_INVALID', `${path}.from`, 'from must be a list');
  if (Array.isArray(from) && count(issues, `${path}.from`, from.length, Limit.joinInputs, 'inputs'))
    for (const [i, entry] of from.entries()) checkFrom(entry, known, `${path}.from.${i}`, issues);
  checkMode(join.mode, Array.isArray(from) ? from.length : undefined, `${path}.mode`, issues);
}

function checkFrom(entry: unknown, known: (step: unknown) => boolean, path: string, issues: Issues): void {
  if (!isFields(entry) || Object.keys(entry).some((key) => !FROM_KEYS.has(key))) {
    issues.error('XRC729_JOIN_FROM_ENTRY_INVALID', path, 'an entry is {node, when?}');
    if (!isFields(entry)) return;
  }
  if (!known(entry.node))
    issues.error('XRC729_JOIN_FROM_NODE_INVALID', `${path}.node`, 'node names no step of this structure');
  if (entry.when !== undefined && !WHEN.has(entry.when))
    issues.error('XRC729_JOIN_FROM_WHEN_INVALID', `${path}.when`, 'must be valid, invalid, any or both');
}

/** any, all or {kofn: N}. Other documents write {k: N} or "kofn", which is refused; the error has the right form. */
function checkMode(mode: unknown, inputs: number | undefined, path: string, issues: Issues): void {
  if (mode === undefined || mode === 'any' || mode === 'all') return;
  const code = 'XRC729_JOIN_MODE_INVALID';
  if (!isFields(mode) || Object.keys(mode).join() !== 'kofn') {
    issues.error(code, path, 'mode must be any, all or {"kofn": N}');
    return;
  }
  if (!isWhole(mode.kofn, 1) || (inputs !== undefined && mode.kofn > inputs))
    issues.error(code, `${path}.kofn`, 'kofn must be from 1 to the number of inputs');
}

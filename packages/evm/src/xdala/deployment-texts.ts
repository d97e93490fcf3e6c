/**
 * The exact texts that a bundle puts on a chain. Page and server make them by this code: what the person is shown, what is
 * sent and what the server looks for afterwards are the same bytes.
 *
 * X1. A rule is the compact JSON of payload, apiCalls, contractReads, rules, onValid, onInvalid, in the item's own order.
 * X2. An orchestration is the compact JSON of {id, structure}, cleaned as the engine's own tool does it; placeholders,
 *     each a whole JSON text, stand for addresses that do not exist yet.
 */

import { type Fields, isFields, isText, listOf, member } from '@handover/core';
import { isAddress } from '../shapes.js';
import { itemKind } from './multi-bundle.js';
import { aliasOf } from './shapes.js';

export interface DeploymentStep {
  /** `<bundleId>/<itemId>` */
  readonly id: string;
  readonly kind: 'xrc137' | 'xrc729';
  readonly bundleId: string;
  readonly itemId: string;
  readonly alias: string;
  /** Of an XRC-729 only. */
  readonly ostcId?: string;
  readonly text: string;
  /** The contract is already there. */
  readonly reuse?: string;
}

const RULE_KEYS = new Set(['payload', 'apiCalls', 'contractReads', 'rules', 'onValid', 'onInvalid']);

export function ruleText(item: Fields): string {
  return JSON.stringify(Object.fromEntries(Object.entries(item).filter(([key]) => RULE_KEYS.has(key))));
}

/** Placeholders become addresses where they are known. */
export function ostcText(
  item: Fields,
  addressOf: (alias: string) => string | undefined = () => undefined,
): string {
  const structure: Record<string, unknown> = {};
  for (const [id, step] of Object.entries(isFields(item.structure) ? item.structure : {}))
    structure[id] = cleanStep(step, addressOf);
  return JSON.stringify({ id: item.id, structure });
}

function cleanStep(step: unknown, addressOf: (alias: string) => string | undefined): unknown {
  const rule = member(step, 'rule');
  const alias = aliasOf(rule);
  const cleaned: Record<string, unknown> = {
    rule: alias === undefined ? rule : (addressOf(alias) ?? rule),
  };
  for (const name of ['onValid', 'onInvalid']) {
    const branch = cleanBranch(member(step, name));
    if (branch) cleaned[name] = branch;
  }
  return cleaned;
}

function cleanBranch(branch: unknown): Record<string, unknown> | undefined {
  const cleaned: Record<string, unknown> = {};
  const spawns = listOf(member(branch, 'spawns'));
  if (spawns.length > 0) cleaned.spawns = spawns;
  const join = member(branch, 'join');
  if (isFields(join)) {
    const { mode, waitonjoin, from, ...rest } = join;
    cleaned.join = {
      ...rest,
      ...(mode !== undefined && mode !== 'any' && { mode }),
      ...(waitonjoin === 'kill' && { waitonjoin }),
      ...(listOf(from).length > 0 && { from }),
    };
  }
  return Object.keys(cleaned).length > 0 ? cleaned : undefined;
}

/** Bundles in order; in each the rules first, then the orchestration that names them. */
export function deploymentSteps(bundle: Fields): readonly DeploymentStep[] {
  return listOf(bundle.bundles).flatMap((one) => {
    const bundleId = String(member(one, 'bundleId'));
    const items = listOf(member(one, 'items')).filter(isFields);
    const rules = items.filter((item) => itemKind(item) === 'xrc137');
    const known = (alias: string) => addressIn(rules.find((rule) => member(rule.meta, 'alias') === alias));
    return [
      ...rules.map((item) => deployment(item, 'xrc137', bundleId, ruleText(item))),
      ...items
        .filter((item) => itemKind(item) === 'xrc729')
        .map((item) => deployment(item, 'xrc729', bundleId, ostcText(item, known))),
    ];
  });
}

function deployment(
  item: Fields,
  kind: DeploymentStep['kind'],
  bundleId: string,
  text: string,
): DeploymentStep {
  const itemId = String(item.id);
  const reuse = addressIn(item);
  return {
    id: `${bundleId}/${itemId}`,
    kind,
    bundleId,
    itemId,
    alias: String(member(item.meta, 'alias')),
    ...(kind === 'xrc729' && { ostcId: itemId }),
    text,
    ...(reuse !== undefined && { reuse }),
  };
}

function addressIn(item: Fields | undefined): string | undefined {
  const found = [item?.address, member(item?.meta, 'deployedAddress')].filter(isText).find(isAddress);
  return found?.toLowerCase();
}

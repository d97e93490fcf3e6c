/**
 * `xgr-multi-bundle@1`: one XRC-729 orchestration and the XRC-137 rules of its steps, per bundle.
 *
 * M1. Codes and paths are those of docs/spec/operations.md 5.2, with these corrections: duplicate aliases and bundle ids
 *     are errors, grants take 1 to 7, a wake-up of a step that is not in this structure is a warning, limits are checked.
 * M2. Pure and total: any JSON value gets an answer, never an exception.
 * M3. The cost grows with the size of the document and no faster: what there is too much of is not walked, and what is
 *     needed again is worked out once.
 */
import {
  type Fields,
  type Findings,
  hasKeyMaterial,
  Issues,
  isDateTime,
  isFields,
  isText,
  KEY_MATERIAL_CODE,
  KEY_MATERIAL_MESSAGE,
  keysOf,
  listOf,
  member,
  refuseSecrets,
} from '@handover/core';
import { BundleLimit, count, length } from './limits.js';
import { checkFlow } from './payload-flow.js';
import { aliasOf, isAlias } from './shapes.js';
import { checkXrc137 } from './xrc137.js';
import { checkXrc729 } from './xrc729.js';

export const BUNDLE_FORMAT = 'xgr-multi-bundle@1';

export interface BundleSummary {
  readonly bundleId: string;
  readonly xrc729Id?: string;
  readonly xrc137Aliases: readonly string[];
  readonly placeholders: readonly string[];
  readonly requiredDeployments: readonly string[];
}

export interface BundleFindings extends Findings {
  readonly format: string;
  readonly bundles: readonly BundleSummary[];
}

const ROOT_KEYS = new Set(['format', 'createdAt', 'bundles']);
const BUNDLE_KEYS = new Set(['bundleId', 'items']);

export function validateMultiBundle(bundle: unknown): BundleFindings {
  const issues = new Issues();
  const bundles = isFields(bundle) ? root(bundle, issues) : [];
  if (!isFields(bundle)) issues.error('ROOT_NOT_OBJECT', undefined, 'the bundle must be an object');
  return { ...issues.findings(), format: BUNDLE_FORMAT, bundles };
}

function root(bundle: Fields, issues: Issues): BundleSummary[] {
  issues.onlyKeys(bundle, ROOT_KEYS, 'ROOT_FIELD_INVALID', '');
  if (hasKeyMaterial(bundle)) issues.error(KEY_MATERIAL_CODE, undefined, KEY_MATERIAL_MESSAGE);
  refuseSecrets(bundle, issues);
  if (bundle.format !== BUNDLE_FORMAT)
    issues.error('FORMAT_INVALID', 'format', `format must be "${BUNDLE_FORMAT}"`);
  if (!isDateTime(bundle.createdAt))
    issues.error('CREATED_AT_INVALID', 'createdAt', 'createdAt must be a date-time with a zone');
  if (!Array.isArray(bundle.bundles) || bundle.bundles.length === 0) {
    issues.error('BUNDLES_REQUIRED', 'bundles', 'bundles must be a list with at least one bundle');
    return [];
  }
  if (!isWalkable(bundle.bundles, issues)) return [];
  const seen = new Set<unknown>();
  return bundle.bundles.flatMap((one: unknown, i) => {
    const path = `bundles.${i}`;
    const id = member(one, 'bundleId');
    if (isText(id) && seen.has(id))
      issues.error('BUNDLE_ID_DUPLICATE', `${path}.bundleId`, 'another bundle has this bundleId');
    seen.add(id);
    return checkBundle(one, path, issues);
  });
}

function isWalkable(bundles: readonly unknown[], issues: Issues): boolean {
  if (!count(issues, 'bundles', bundles.length, BundleLimit.bundles, 'bundles')) return false;
  const items = bundles.reduce((sum: number, one) => sum + listOf(member(one, 'items')).length, 0);
  return count(issues, 'bundles', items, BundleLimit.items, 'items in all');
}

function checkBundle(bundle: unknown, path: string, issues: Issues): BundleSummary[] {
  if (!isFields(bundle)) {
    issues.error('BUNDLE_NOT_OBJECT', path, 'a bundle must be an object');
    return [];
  }
  issues.onlyKeys(bundle, BUNDLE_KEYS, 'BUNDLE_FIELD_INVALID', path);
  if (!isText(bundle.bundleId)) issues.error('BUNDLE_ID_MISSING', `${path}.bundleId`, 'bundleId is missing');
  length(issues, `${path}.bundleId`, bundle.bundleId, BundleLimit.id);
  if (!Array.isArray(bundle.items) || bundle.items.length < 2) {
    issues.error('BUNDLE_ITEMS_REQUIRED', `${path}.items`, 'a bundle needs an xrc729 and an xrc137 item');
    return [];
  }
  const items = bundle.items.map((item: unknown, i) => ({ item, path: `${path}.items.${i}` }));
  const sorted = sortItems(items, issues);
  counts(sorted, path, issues);
  const steps = new Set(keysOf(member(sorted.orchestrations[0]?.item, 'structure')));
  for (const { item, path: at } of sorted.orchestrations) checkXrc729(item, at, bundle.bundleId, issues);
  for (const { item, path: at } of sorted.rules) checkXrc137(item, at, bundle.bundleId, steps, issues);
  const placeholders = references(sorted, issues);
  if (sorted.orchestrations.length === 1) checkFlow(sorted, issues);
  return [summary(bundle, sorted, placeholders)];
}

export interface PlacedItem {
  readonly item: Fields;
  readonly path: string;
}

export interface SortedItems {
  readonly orchestrations: readonly PlacedItem[];
  readonly rules: readonly PlacedItem[];
}

export function itemKind(item: Fields): 'xrc729' | 'xrc137' | undefined {
  const type = member(item.meta, 'type');
  if (type === 'xrc729' || type === 'xrc137') return type;
  if (isFields(item.structure)) return 'xrc729';
  return isFields(item.payload) ? 'xrc137' : undefined;
}

function sortItems(items: readonly { item: unknown; path: string }[], issues: Issues): SortedItems {
  const orchestrations: PlacedItem[] = [];
  const rules: PlacedItem[] = [];
  for (const { item, path } of items) {
    if (!isFields(item)) {
      issues.error('ITEM_NOT_OBJECT', path, 'an item must be an object');
      continue;
    }
    const kind = itemKind(item);
    if (kind === 'xrc729') orchestrations.push({ item, path });
    else if (kind === 'xrc137') rules.push({ item, path });
    else issues.error('ITEM_TYPE_UNKNOWN', path, 'meta.type must be xrc729 or xrc137');
  }
  return { orchestrations, rules };
}

function counts({ orchestrations, rules }: SortedItems, path: string, issues: Issues): void {
  if (orchestrations.length !== 1)
    issues.error('XRC729_COUNT_INVALID', `${path}.items`, 'a bundle has exactly one xrc729 item');
  if (rules.length < 1)
    issues.error('XRC137_COUNT_INVALID', `${path}.items`, 'a bundle has at least one xrc137 item');
}

/** Every placeholder names a rule of this bundle, every rule is named by a step, no alias stands twice. */
function references({ orchestrations, rules }: SortedItems, issues: Issues): readonly string[] {
  const aliases = new Set<unknown>();
  for (const { item, path } of rules) {
    const alias = member(item.meta, 'alias');
    if (aliases.has(alias))
      issues.error('XRC137_ALIAS_DUPLICATE', `${path}.meta.alias`, 'another rule has this alias');
    aliases.add(alias);
  }
  const used = new Set<string>();
  const addresses = new Set<string>();
  for (const { item, path } of orchestrations)
    for (const step of keysOf(item.structure)) {
      const rule = member(member(item.structure, step), 'rule');
      if (typeof rule === 'string') addresses.add(rule.toLowerCase());
      const alias = aliasOf(rule);
      if (alias === undefined) continue;
      used.add(alias);
      if (!aliases.has(alias))
        issues.error(
          'PLACEHOLDER_ALIAS_UNRESOLVED',
          `${path}.structure.${step}.rule`,
          `no rule of this bundle has the alias ${alias}`,
        );
    }
  for (const { item, path } of rules) {
    const alias = member(item.meta, 'alias');
    const named = typeof alias === 'string' && used.has(alias);
    const byAddress = typeof item.address === 'string' && addresses.has(item.address.toLowerCase());
    if (!named && !byAddress) issues.warn('XRC137_ITEM_UNUSED', path, 'no step uses this rule');
  }
  return [...used].map((alias) => `cm:xrc137:${alias}`);
}

function summary(
  bundle: Fields,
  { orchestrations, rules }: SortedItems,
  placeholders: readonly string[],
): BundleSummary {
  const id = orchestrations[0]?.item.id;
  const aliases = rules.map(({ item }) => member(item.meta, 'alias')).filter(isAlias);
  const open = rules.filter(({ item }) => aliasOf(item.address) !== undefined);
  const required = open.map(({ item }) => member(item.meta, 'alias')).filter(isAlias);
  return {
    bundleId: isText(bundle.bundleId) ? bundle.bundleId.slice(0, BundleLimit.id) : '',
    ...(isText(id) && { xrc729Id: id.slice(0, BundleLimit.id) }),
    xrc137Aliases: aliases,
    placeholders,
    requiredDeployments: [...required, ...(isText(id) ? [id.slice(0, BundleLimit.id)] : [])],
  };
}

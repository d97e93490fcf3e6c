/** What both kinds of items have in common: id, bundleId, meta. */
import { type Fields, type Issues, isFields, isText } from '@handover/core';
import { isAddress, isMistyped, MISTYPED } from '../shapes.js';
import { BundleLimit, length } from './limits.js';
import { isAlias } from './shapes.js';

const META_KEYS = new Set(['type', 'alias', 'bundleId', 'version', 'deployedAddress']);

export function checkItem(
  item: Fields,
  kind: 'xrc729' | 'xrc137',
  keys: ReadonlySet<string>,
  path: string,
  bundleId: unknown,
  issues: Issues,
): void {
  const code = (name: string) => `${kind.toUpperCase()}_${name}`;
  issues.onlyKeys(item, keys, code('FIELD_INVALID'), path);
  if (!isText(item.id)) issues.error(code('ID_MISSING'), `${path}.id`, 'id is missing');
  length(issues, `${path}.id`, item.id, BundleLimit.id);
  if (!isText(item.bundleId))
    issues.error(code('BUNDLE_ID_MISSING'), `${path}.bundleId`, 'bundleId is missing');
  else if (item.bundleId !== bundleId)
    issues.error(code('BUNDLE_ID_MISMATCH'), `${path}.bundleId`, 'bundleId is not that of the bundle');
  const { meta } = item;
  const at = `${path}.meta`;
  if (!isFields(meta)) {
    issues.error(code('META_MISSING'), at, 'meta is missing');
    return;
  }
  issues.onlyKeys(meta, META_KEYS, code('META_FIELD_INVALID'), at);
  if (meta.type !== kind) issues.error(code('META_TYPE_INVALID'), `${at}.type`, `meta.type must be ${kind}`);
  if (!isAlias(meta.alias))
    issues.error(code('META_ALIAS_INVALID'), `${at}.alias`, 'an alias has 2 to 128 letters, digits, _ or -');
  if (!isText(meta.bundleId))
    issues.error(code('META_BUNDLE_ID_MISSING'), `${at}.bundleId`, 'meta.bundleId is missing');
  else if (meta.bundleId !== bundleId)
    issues.error(
      code('META_BUNDLE_ID_MISMATCH'),
      `${at}.bundleId`,
      'meta.bundleId is not that of the bundle',
    );
  if (meta.deployedAddress !== undefined && !isAddress(meta.deployedAddress))
    issues.error(
      code('META_DEPLOYED_ADDRESS_INVALID'),
      `${at}.deployedAddress`,
      'must be 0x and 40 hex digits',
    );
  else if (isMistyped(meta.deployedAddress))
    issues.error(code('META_DEPLOYED_ADDRESS_INVALID'), `${at}.deployedAddress`, MISTYPED);
}

/** The result of a bundle deploy (docs/spec/operations.md 4.1): its shape, and the addresses of the stored items. */
import {
  type Fields,
  hasUnredactedSecret,
  isDateTime,
  isFields,
  isText,
  listOf,
  member,
} from '@handover/core';
import { isAddress } from '../shapes.js';

/** What is wrong with the body, or undefined. */
export function bundleResultFlaw(body: unknown, handle: string): string | undefined {
  if (!isFields(body)) return 'the body must be an object';
  if (hasUnredactedSecret(body)) return 'the body has a field named like key material';
  if (body.handle !== handle) return 'handle is not that of the address';
  if (body.type !== 'xdala_bundle_deploy_result') return 'type must be xdala_bundle_deploy_result';
  if (body.status !== 'completed') return 'status must be completed; a failure is posted as a status';
  if (!isDateTime(body.completedAt)) return 'completedAt must be a date-time with a zone';
  if (!isText(body.inputType)) return 'inputType is missing';
  if (!isFields(body.artifact)) return 'artifact must be an object';
  if (!Array.isArray(body.deployResults)) return 'deployResults must be a list';
  if (body.requestSummary !== undefined && !isFields(body.requestSummary))
    return 'requestSummary must be an object';
  return undefined;
}

export interface DeployedItem {
  readonly bundleId: string;
  readonly itemId: string;
  readonly address: string;
}

/** The address of each item of the stored bundle, or undefined when the artifact is not about that bundle. */
export function deployedItems(artifact: Fields, bundle: Fields): readonly DeployedItem[] | undefined {
  const found: DeployedItem[] = [];
  const bundles = listOf(bundle.bundles);
  for (const stored of bundles) {
    const bundleId = String(member(stored, 'bundleId'));
    const items = artifactItems(artifact, bundleId, bundles.length === 1);
    for (const item of listOf(member(stored, 'items'))) {
      const itemId = String(member(item, 'id'));
      const address = addressOf(items.get(itemId));
      if (address === undefined) return undefined;
      found.push({ bundleId, itemId, address });
    }
  }
  return found;
}

/** `artifact.bundles[]`, or the items directly when there is one bundle only, by id; the first of an id counts. */
function artifactItems(artifact: Fields, bundleId: string, only: boolean): ReadonlyMap<unknown, unknown> {
  const bundle = listOf(artifact.bundles).find((one) => member(one, 'bundleId') === bundleId);
  const items = listOf(bundle === undefined && only ? artifact.items : member(bundle, 'items'));
  return new Map(items.toReversed().map((item) => [member(item, 'id'), item]));
}

function addressOf(item: unknown): string | undefined {
  const address = [member(member(item, 'meta'), 'deployedAddress'), member(item, 'address')].find(isAddress);
  return address?.toLowerCase();
}

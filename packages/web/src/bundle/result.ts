/** The result of a deployment, as docs/spec/operations.md 4.1 requires it. */
import type { BundleRecord, JsonRecord, Step } from '../model/record.js';

export function bundleResult(
  record: BundleRecord,
  addressOf: (step: Step) => string | undefined,
  now: string,
): object {
  const deployed = record.steps.flatMap((step) => {
    const { deployment, txHash } = step;
    if (!deployment) return [];
    const { kind, bundleId, itemId, alias } = deployment;
    const address = addressOf(step);
    return [{ kind, bundleId, itemId, alias, address, ...(txHash !== undefined && { txHash }) }];
  });
  const addresses = new Map(
    deployed.map(({ bundleId, itemId, address }) => [`${bundleId}/${itemId}`, address]),
  );
  return {
    handle: record.handle,
    type: 'xdala_bundle_deploy_result',
    status: 'completed',
    completedAt: now,
    inputType: 'xgr-multi-bundle@1',
    artifact: withAddresses(record.bundle, addresses),
    deployResults: deployed,
  };
}

/** A copy of the bundle in which each deployed item has its address. */
function withAddresses(bundle: JsonRecord, addresses: ReadonlyMap<string, string | undefined>): JsonRecord {
  const bundles = list(bundle.bundles).map((one) => ({
    ...one,
    items: list(one.items).map((item) => {
      const address = addresses.get(`${String(one.bundleId)}/${String(item.id)}`);
      if (address === undefined) return item;
      return { ...item, address, meta: { ...(item.meta as JsonRecord), deployedAddress: address } };
    }),
  }));
  return { ...bundle, bundles };
}

const list = (value: unknown): readonly JsonRecord[] =>
  Array.isArray(value) ? (value as readonly JsonRecord[]) : [];

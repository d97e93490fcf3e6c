import type { JsonObject } from '@handover/core';
import { iso } from '../../../../platform/iso.js';
import type { Outcome } from '../../../outcome.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import { openUrl } from '../common-view.js';

export async function bundleDeployCreated(
  { publicBase }: OperationDependencies,
  { state }: OperationRecord,
  url?: string,
): Promise<Outcome<JsonObject>> {
  const { id, status, digest, expiresAt } = state;
  const xdalaUrl = openUrl(state, url);
  const fetchUrl = `${publicBase()}/api/bundle-deploy/${id}`;
  const named = { handle: id, expiresAt: iso(expiresAt), status, digest };
  return { value: { ...named, ...(xdalaUrl !== undefined && { xdalaUrl, fetchUrl }) } };
}

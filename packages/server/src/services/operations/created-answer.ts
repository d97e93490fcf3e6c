/** The answer of the three create tools. It alone holds the URL. */
import { Family, type JsonObject, OperationStatus } from '@handover/core';
import type { Outcome } from '../outcome.js';
import type { OperationDependencies } from './dependencies.js';
import { iso } from './iso.js';
import type { OperationRecord } from './record.js';
import { viewOf } from './views.js';

export async function createdAnswer(
  deps: OperationDependencies,
  record: OperationRecord,
  url?: string,
): Promise<JsonObject> {
  const { id, family, status, digest, expiresAt } = record.state;
  const api = (name: string) => `${deps.publicBase()}/api/${name}/${id}`;
  // Nothing is left to open.
  const open =
    url !== undefined && status !== OperationStatus.Cancelled && status !== OperationStatus.Expired;
  switch (family) {
    case Family.Operation:
      return { ...(await viewOf(deps, record, 'full')), ...(open && { operationUrl: url }) };
    case Family.BundleDeploy: {
      const named = { handle: id, expiresAt: iso(expiresAt), status, digest };
      return { ...named, ...(open && { xdalaUrl: url, fetchUrl: api('bundle-deploy') }) };
    }
    case Family.SessionStart: {
      const view = await viewOf(deps, record, 'full');
      return { ...view, ...(open && { xdalaUrl: url, fetchUrl: api('session-start') }) };
    }
  }
}

/** Without a URL it is a repetition of what was answered before. */
export function answered(value: JsonObject, url: string | undefined): Outcome<JsonObject> {
  return url === undefined ? { value: { ...value, replayed: true }, replayed: true } : { value };
}

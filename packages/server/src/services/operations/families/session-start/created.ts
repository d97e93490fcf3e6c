import type { JsonObject } from '@handover/core';
import { mapOutcome, type Outcome } from '../../../outcome.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import { showToAgent } from '../../show.js';
import { openUrl } from '../common-view.js';

export async function sessionStartCreated(
  deps: OperationDependencies,
  record: OperationRecord,
  url?: string,
): Promise<Outcome<JsonObject>> {
  const xdalaUrl = openUrl(record.state, url);
  const fetchUrl = `${deps.publicBase()}/api/session-start/${record.state.id}`;
  const shown = await showToAgent(deps, record, 'full');
  return mapOutcome(shown, (view) => ({ ...view, ...(xdalaUrl !== undefined && { xdalaUrl, fetchUrl }) }));
}

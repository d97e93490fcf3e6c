/** What readers see of a session start. */
import { Family, type JsonObject } from '@handover/core';
import type { GraphView, SessionStartMetadata, SessionStartView, ValidationView } from '@handover/evm';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import { asJson, commonView, openUrl, showsAll, stepProgress } from '../common-view.js';
import type { Detail } from '../family.js';
import { ownershipOf, summaryOf } from './derived.js';

export async function sessionStartView(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<SessionStartMetadata | SessionStartView> {
  const { state } = record;
  const created = await deps.documents.created(record);
  const events = await deps.documents.events(record);
  const result = await deps.documents.result(record);
  const { source = {}, request = null, authority = {}, validation = {}, graph } = created;
  const known = {
    handle: state.id,
    type: 'xdala_session_start_handoff',
    version: 'xgr-session-start@1',
    family: Family.SessionStart,
    ...commonView(deps, record, created),
    source: source as JsonObject,
    steps: state.steps.map((step) => ({
      ...stepProgress(step, events),
      kind: 'session',
      label: `Session ${Number(step.id.slice('sessions.'.length)) + 1}`,
    })),
    events,
    sessionOwnership: ownershipOf(created, result),
    resultSummary: summaryOf(created, result),
  };
  if (!showsAll(state, detail)) return known;
  return {
    ...known,
    request: request as unknown as SessionStartView['request'],
    authority: authority as JsonObject,
    validation: validation as ValidationView,
    ...(graph !== undefined && { graph: graph as unknown as GraphView }),
    ...(result && { result }),
  };
}

export async function sessionStartCreated(
  deps: OperationDependencies,
  record: OperationRecord,
  url?: string,
): Promise<JsonObject> {
  const xdalaUrl = openUrl(record.state, url);
  const fetchUrl = `${deps.publicBase()}/api/session-start/${record.state.id}`;
  const view = asJson(await sessionStartView(deps, record, 'full'));
  return { ...view, ...(xdalaUrl !== undefined && { xdalaUrl, fetchUrl }) };
}

/** What follows from the documents of a session start. */
import { Family, type JsonObject, listOf, member } from '@handover/core';
import type { GraphView, SessionStartMetadata, SessionStartView, ValidationView } from '@handover/evm';
import { type Documents, type FamilyDocuments, networkOf, type ViewContext } from '../family-documents.js';
import { stepProgress } from '../step-progress.js';
import { ownershipOf, summaryOf } from './derived.js';
import { readSessionResult } from './result.js';
import { unsealedView } from './secret-values.js';

export const sessionStartDocuments: FamilyDocuments = {
  view: sessionView,
  unsealed: unsealedView,
  readResult: readSessionResult,
};

function sessionView(
  { created, result }: Documents,
  { state, common, events, full }: ViewContext,
): SessionStartMetadata | SessionStartView {
  const { source = {}, request = null, authority = {}, validation = {}, graph } = created;
  const known = {
    handle: state.id,
    type: 'xdala_session_start_handoff',
    version: 'xgr-session-start@1',
    family: Family.SessionStart,
    network: networkOf(created),
    ...common,
    source: source as JsonObject,
    steps: state.steps.map((step) => ({
      ...stepProgress(state, step, events),
      kind: 'session',
      label: `Session ${Number(step.id.slice('sessions.'.length)) + 1}`,
    })),
    events,
    sessionOwnership: ownershipOf(created, result),
    resultSummary: summaryOf(created, result),
  };
  if (!full) return known;
  return {
    ...known,
    request: request as unknown as SessionStartView['request'],
    authority: authority as JsonObject,
    validation: validation as ValidationView,
    ...(graph !== undefined && { graph: graph as unknown as GraphView }),
    ...(result && { result }),
  };
}

/** When the permit of a session ends, in Unix seconds; undefined: the request leaves it to the page. */
export function permitEnd({ created }: Documents, { index }: { readonly index: number }): number | undefined {
  const expiry = member(listOf(member(created.request, 'sessions'))[index], 'expiry');
  return typeof expiry === 'number' ? expiry : undefined;
}

/** A session that the result says was started. */
export interface StartedSession {
  readonly index: number;
  readonly sessionId: string;
  readonly owner?: string;
  readonly starter?: string;
}

export function startedSessions({ result }: Documents): readonly StartedSession[] {
  return listOf(result?.results).flatMap((entry, index) => {
    if (member(entry, 'ok') !== true) return [];
    const [owner, starter] = [member(entry, 'owner'), member(entry, 'starter')];
    return [
      {
        index,
        sessionId: String(member(entry, 'sessionId')),
        ...(typeof owner === 'string' && { owner }),
        ...(typeof starter === 'string' && { starter }),
      },
    ];
  });
}

/** Turns what the engine stored into counters and audit lines. */
import { CoreMessageType, type Entry, EXPIRED_TYPE, StreamKind } from '@handover/core';
import type { EngineObserver } from '@handover/engine';
import { type Metrics, ModeEvent } from './metrics.js';
import type { Audit } from './security-log.js';

/** Maps, not objects: agents choose the message types of extension modes, and `constructor` is a member of any object. */
const EVENTS: ReadonlyMap<string, ModeEvent> = new Map([
  [CoreMessageType.SessionStart, ModeEvent.SESSION_STARTED],
  [CoreMessageType.Commitment, ModeEvent.SESSION_RESOLVED],
  [CoreMessageType.SessionCancel, ModeEvent.SESSION_CANCELLED],
  [CoreMessageType.SessionSuspend, ModeEvent.SESSION_SUSPENDED],
  [CoreMessageType.SessionResume, ModeEvent.SESSION_RESUMED],
  [EXPIRED_TYPE, ModeEvent.SESSION_EXPIRED],
]);

const TERMINAL: ReadonlyMap<string, string> = new Map([
  [CoreMessageType.Commitment, 'RESOLVED'],
  [CoreMessageType.SessionCancel, 'CANCELLED'],
  [EXPIRED_TYPE, 'EXPIRED'],
]);

export function createObserver(metrics: Metrics, audit: Audit): EngineObserver {
  return {
    batchStored: (_commands, entries, durationMs) => metrics.committed(entries, durationMs / 1000),
    entryStored: (entry) => {
      if (entry.stream.kind === StreamKind.Session) count(metrics, audit, entry);
    },
  };
}

function count(metrics: Metrics, audit: Audit, { type, facts, stream }: Entry): void {
  const mode = String(facts.mode ?? '');
  metrics.count(ModeEvent.MESSAGE_ACCEPTED, mode);
  if (type === CoreMessageType.Commitment) metrics.count(ModeEvent.COMMITMENT_ACCEPTED, mode);
  const event = EVENTS.get(type);
  if (event) metrics.count(event, mode);
  const state = TERMINAL.get(type);
  if (state) audit.terminal({ tenant: stream.tenant, sessionId: stream.id, state });
}

/**
 * What a change is about. Subscribers are filed under topics, so that an entry of the log leads to them without a
 * search through all. Whether a subscriber may be told is decided afterwards, for each one.
 */
import { type EntryHead, type SessionState, StreamKind, type WorklogState } from '@handover/core';
import type { Engine } from '@handover/engine';

export const worklogTopic = (key: string): string => `worklog ${key}`;
export const agentTopic = (agent: string): string => `agent ${agent}`;
export const operationTopic = (id: string): string => `operation ${id}`;
export const CONFIGURATION_TOPIC = 'configuration';

/** One topic per MACP session, because all its offers change together. */
export function handoffTopic(handoffId: string): string {
  const colon = handoffId.indexOf(':');
  return `handoff ${colon === -1 ? handoffId : handoffId.slice(0, colon)}`;
}

/** Reads the agents that a change concerns from the stream as it is now. */
export async function topicsOf(engine: Engine, { stream }: EntryHead): Promise<readonly string[]> {
  switch (stream.kind) {
    case StreamKind.Worklog: {
      const worklog = (await engine.query(stream))?.state;
      return [worklogTopic(stream.id), ...(worklog ? agentsOfWorklog(worklog).map(agentTopic) : [])];
    }
    case StreamKind.Session: {
      const session = (await engine.query(stream))?.state;
      return [handoffTopic(stream.id), ...(session ? agentsOfSession(session).map(agentTopic) : [])];
    }
    case StreamKind.Configuration:
      return [CONFIGURATION_TOPIC];
    case StreamKind.Operation:
      return [operationTopic(stream.id)];
    case StreamKind.Carrier:
    case StreamKind.Policies:
    case StreamKind.Modes:
      return [];
  }
}

function agentsOfWorklog({
  owner,
  agentFrom,
  collaborators,
  grants,
  pending,
  lastTaker,
}: WorklogState): readonly string[] {
  const others = [
    ...grants.map(({ agent }) => agent),
    ...pending.map(({ target }) => target),
    // It hears of it when it is left, and when it is withdrawn, closed or somebody else's.
    ...(lastTaker === undefined ? [] : [lastTaker]),
  ];
  return [...new Set([owner, agentFrom, ...collaborators, ...others])];
}

function agentsOfSession({ initiator, participants }: SessionState): readonly string[] {
  return [...new Set([initiator, ...participants])];
}

/**
 * What a change is about. Subscribed addresses are filed under topics, so that an entry of the log finds them without
 * looking at all; whether a subscriber may hear of it is decided afterwards, for each.
 */
import { type EntryHead, type SessionState, StreamKind, type WorklogState } from '@handover/core';
import type { Engine } from '@handover/engine';

export const worklogTopic = (key: string): string => `worklog ${key}`;
export const agentTopic = (agent: string): string => `agent ${agent}`;
export const operationTopic = (id: string): string => `operation ${id}`;
export const CONFIGURATION_TOPIC = 'configuration';

/** By session: all its offers change together. */
export function handoffTopic(handoffId: string): string {
  const colon = handoffId.indexOf(':');
  return `handoff ${colon === -1 ? handoffId : handoffId.slice(0, colon)}`;
}

/** Whom a change concerns is read from the stream as it is now. */
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
}: WorklogState): readonly string[] {
  const others = [...grants.map(({ agent }) => agent), ...pending.map(({ target }) => target)];
  return [...new Set([owner, agentFrom, ...collaborators, ...others])];
}

function agentsOfSession({ initiator, participants }: SessionState): readonly string[] {
  return [...new Set([initiator, ...participants])];
}

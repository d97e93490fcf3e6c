/**
 * What an agent is to a stream by something that it did, as the deciders write it. In every other part it was only named by
 * somebody else. One that answers, and does nothing else, is known because it came.
 */
import { OPERATOR, StreamKind } from '@handover/core';
import type { Part } from '@handover/engine';

export const TOOK_PART: readonly Part[] = [
  ...['source', 'author', 'owner', 'collaborator'].map((role) => ({ kind: StreamKind.Worklog, role })),
  { kind: StreamKind.Session, role: 'initiator' },
  { kind: StreamKind.Operation, role: 'creator' },
];

/** The server's own names are in the log as well. */
export const isNobody = (agent: string): boolean => agent === OPERATOR || agent.startsWith('_');

/** The node that runs a session proves it: the node knows the session under its owner. */
import type { StepState } from '@handover/core';
import { checkSession } from '../../../../chain/check-session.js';
import type { ChainClient } from '../../../../chain/port.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { Said } from '../family.js';

export async function proveSession(
  _deps: OperationDependencies,
  client: ChainClient,
  _record: OperationRecord,
  { claim }: StepState,
): Promise<Said | undefined> {
  const { sessionId, owner } = claim ?? {};
  return sessionId === undefined || owner === undefined
    ? undefined
    : checkSession(client, { owner, sessionId });
}

export async function proveSessions(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<Said> {
  const { state } = record;
  const started = await deps.documents.deriveForServer(record, 'startedSessions', undefined);
  for (const session of started) {
    const owner = session.owner ?? state.steps[session.index]?.claim?.owner ?? session.starter;
    if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown' };
    const signer = state.signer ?? state.account;
    if (signer !== undefined && owner.toLowerCase() !== signer)
      return { verdict: 'mismatched', reason: 'owner_differs' };
    const { sessionId } = session;
    const checked = await checkSession(client, { owner: owner.toLowerCase(), sessionId });
    if (checked.verdict !== 'matched') return checked;
  }
  return { verdict: 'matched' };
}

/** The node that runs a session proves it: the node knows the session under its owner. */
import { boundAccount, OperationStatus } from '@handover/core';
import { checkSession } from '../../../../chain/check-session.js';
import type { ChainClient } from '../../../../chain/port.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { LookedAt, Proof, ResultProof } from '../family.js';

/** A session carries itself: it is known by its owner and number. */
export async function proveSession(
  _deps: OperationDependencies,
  client: ChainClient,
  _record: OperationRecord,
  { claim }: LookedAt,
): Promise<Proof> {
  const { value: sessionId, owner } = claim;
  if (owner === undefined) return { verdict: 'pending', detail: 'owner_unknown' };
  const { verdict, reason } = await checkSession(client, { owner, sessionId });
  const detail = reason === undefined ? {} : { detail: reason };
  return verdict === 'matched'
    ? { verdict, carrier: `session/${owner}/${sessionId}`, proof: 'session' }
    : { verdict, ...detail };
}

export async function proveSessions(
  deps: OperationDependencies,
  client: ChainClient,
  record: OperationRecord,
): Promise<ResultProof> {
  const { state } = record;
  const started = await deps.documents.deriveForServer(record, 'startedSessions', undefined);
  for (const session of started) {
    const [claim] = state.steps[session.index]?.claims ?? [];
    const owner = session.owner ?? claim?.owner ?? session.starter;
    if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown', shown: [] };
    const signer = state.signer ?? boundAccount(state);
    if (signer !== undefined && owner.toLowerCase() !== signer)
      return { verdict: 'mismatched', reason: 'owner_differs', shown: [] };
    const { sessionId } = session;
    const checked = await checkSession(client, { owner: owner.toLowerCase(), sessionId });
    if (checked.verdict !== 'matched') return { ...checked, shown: [] };
  }
  const shown = started.flatMap(({ index }) => state.steps[index]?.id ?? []);
  const isShown = state.result?.outcome !== OperationStatus.Failed;
  return { verdict: 'matched', shown: isShown ? shown : [] };
}

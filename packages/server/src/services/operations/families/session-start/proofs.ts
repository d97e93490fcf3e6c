/** The node that runs a session proves it: the node knows the session under its owner. */
import { listOf, member, type StepState } from '@handover/core';
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
  const result = await deps.documents.result(record);
  for (const [i, entry] of listOf(result?.results).entries()) {
    if (member(entry, 'ok') !== true) continue;
    const claim = state.steps[i]?.claim;
    const owner = [member(entry, 'owner'), claim?.owner, member(entry, 'starter')].find(
      (one) => typeof one === 'string',
    );
    if (typeof owner !== 'string') return { verdict: 'pending', reason: 'owner_unknown' };
    const signer = state.signer ?? state.account;
    if (signer !== undefined && owner.toLowerCase() !== signer)
      return { verdict: 'mismatched', reason: 'owner_differs' };
    const checked = await checkSession(client, {
      owner: owner.toLowerCase(),
      sessionId: String(member(entry, 'sessionId')),
    });
    if (checked.verdict !== 'matched') return checked;
  }
  return { verdict: 'matched' };
}

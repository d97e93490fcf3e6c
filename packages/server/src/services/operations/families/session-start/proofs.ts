/** The node that runs a session proves it: the node knows the session under its owner. */
import {
  boundAccount,
  ClaimKind,
  ClaimSource,
  ClaimStanding,
  type ClaimState,
  type NewClaim,
  NOT_STARTED,
  type OperationState,
  type StepState,
  sessionCarrier,
} from '@handover/core';
import { checkSession, sessionNumber } from '../../../../chain/check-session.js';
import type { ChainClient } from '../../../../chain/port.js';
import type { OperationDependencies } from '../../dependencies.js';
import type { OperationRecord } from '../../record.js';
import type { LookedAt, Proof, ResultProof } from '../family.js';
import type { StartedSession } from './documents.js';

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
    ? { verdict, carrier: sessionCarrier(owner, sessionId), proof: 'session' }
    : { verdict, ...detail };
}

/** A result says nothing that could not be told of its steps. So it is told there, and holds when all of it has settled. */
export async function proveSessions(
  deps: OperationDependencies,
  _client: ChainClient,
  record: OperationRecord,
): Promise<ResultProof> {
  const { state } = record;
  const started = await deps.documents.deriveForServer(record, 'startedSessions', undefined);
  const claims: NewClaim[] = [];
  let waits: ResultProof | undefined;
  for (const session of started) {
    const step = state.steps[session.index];
    const told = step && toldOf(state, step, session);
    if (!told || 'verdict' in told) return told ?? mismatched('session_differs');
    const known = step.claims.find(({ value, owner }) => value === told.value && owner === told.owner);
    if (!known) claims.push(told);
    waits ??= known && standingOf(known);
    if (waits?.verdict === 'mismatched') return waits;
  }
  if (claims.length > 0) return { verdict: 'pending', reason: NOT_STARTED, shown: [], claims };
  return waits ?? { verdict: 'matched', shown: [] };
}

const mismatched = (reason: string): ResultProof => ({ verdict: 'mismatched', reason, shown: [] });

/** What the result says of one step, as a page would have told it. */
function toldOf(state: OperationState, step: StepState, session: StartedSession): NewClaim | ResultProof {
  const value = sessionNumber(session.sessionId);
  if (value === undefined) return mismatched('session_differs');
  const claimed = step.claims.find((claim) => claim.value === value);
  const owner = (session.owner ?? claimed?.owner ?? session.starter)?.toLowerCase();
  if (owner === undefined) return { verdict: 'pending', reason: 'owner_unknown', shown: [] };
  const signer = state.signer ?? boundAccount(state);
  if (signer !== undefined && owner !== signer) return mismatched('owner_differs');
  return { step: step.id, kind: ClaimKind.Session, value, owner, source: ClaimSource.Page };
}

/** Undefined: it has settled as asked. */
function standingOf({ standing, reason, detail }: ClaimState): ResultProof | undefined {
  const word = reason?.toLowerCase() ?? detail;
  switch (standing) {
    case ClaimStanding.Done:
      return undefined;
    case ClaimStanding.Open:
      return { verdict: 'pending', ...(word !== undefined && { reason: word }), shown: [] };
    case ClaimStanding.Aside:
    case ClaimStanding.Nothing:
    case ClaimStanding.Different:
      return mismatched(word ?? 'session_differs');
  }
}

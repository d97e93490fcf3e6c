/**
 * Which sessions an account has before its wallet is asked: by that, one that is told later is known to be new. Where the
 * node does not say it in time, nothing is taken for new.
 */
import { isBefore, NOT_STARTED, type SessionAsk } from '@handover/core';
import { checkSession, nextSession } from '../../../../chain/check-session.js';
import type { ChainClient } from '../../../../chain/port.js';
import { quietly } from '../../chain-documents.js';
import type { AccountSight } from '../family.js';

export async function sessionSight(
  client: ChainClient,
  account: string,
  session?: SessionAsk,
): Promise<AccountSight> {
  const next = await quietly(nextSession(client, account));
  const numbered = next === undefined ? {} : { nextSession: next };
  if (!session) return numbered;
  const { sessionId } = session;
  const known = await quietly(checkSession(client, session));
  const isUsed = known?.verdict === 'matched' || (next !== undefined && isBefore(sessionId, next));
  if (isUsed)
    return { flaw: `session ${sessionId} of this owner is there already; ask the node for the next one` };
  const isFree = next !== undefined || known?.reason === NOT_STARTED;
  return { ...numbered, session: { ...session, ...(isFree && { fresh: true }) } };
}

/**
 * Asks the node about a started session: it runs, or its first step has been decided. Everything else is `pending`: the
 * node may not have heard of the session yet.
 */
import { member, NOT_STARTED } from '@handover/core';
import { ChainRefused, ChainUnavailable } from './port.js';

export interface StartedSession {
  readonly owner: string;
  /** Decimal, as it was signed. */
  readonly sessionId: string;
}

export interface SessionCheck {
  readonly verdict: 'matched' | 'pending';
  readonly reason?: string;
}

interface XgrNode {
  request(method: string, params: readonly unknown[]): Promise<unknown>;
}

const FIRST_ITERATION = 1;

export async function checkSession(node: XgrNode, session: StartedSession): Promise<SessionCheck> {
  const { owner, sessionId } = session;
  const alive = await ask(node, 'xgr_sessionAlive', [owner, sessionId]);
  if (alive === true) return { verdict: 'matched' };
  const executed = await ask(node, 'xgr_stepExecuted', [owner, sessionId, FIRST_ITERATION]);
  // Only true and false are answers: an object or a text would be an error.
  if (executed === true || executed === false) return { verdict: 'matched' };
  const known = alive === false || executed === null;
  return { verdict: 'pending', reason: known ? NOT_STARTED : 'method_unavailable' };
}

/** The number that the owner's next session will have; undefined: this node does not say. Only reads: nothing is reserved. */
export async function nextSession(node: XgrNode, owner: string): Promise<string | undefined> {
  try {
    const answer = await node.request('xgr_getNextProcessId', [{ from: owner }]);
    return sessionNumber(member(answer, 'nextProcessId'));
  } catch (failure) {
    if (failure instanceof ChainRefused) return undefined;
    throw failure;
  }
}

/** One spelling for each number, so that a session has one name; undefined: it is none. */
export const sessionNumber = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value).toString() : undefined;

async function ask(node: XgrNode, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    const answer = await node.request(method, params);
    if (answer === null || typeof answer === 'boolean') return answer;
  } catch (failure) {
    if (failure instanceof ChainRefused) return undefined;
    throw failure;
  }
  throw new ChainUnavailable('the RPC answered something malformed');
}

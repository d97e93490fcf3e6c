/**
 * Asks the node about a started session: it runs, or its first step has been decided. Everything else is `pending`: the
 * node may not have heard of the session yet.
 */
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
  return { verdict: 'pending', reason: known ? 'not_started' : 'method_unavailable' };
}

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

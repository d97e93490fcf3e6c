/** Turns a claim about a step into facts, for the log and for receipts, and back. */
import type { JsonObject } from '../../log/json.js';
import type { StepClaim } from './state.js';

export function claimFacts({ txHash, contract, sessionId, owner }: StepClaim) {
  return {
    ...(txHash !== undefined && { tx_hash: txHash }),
    ...(contract !== undefined && { contract }),
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(owner !== undefined && { owner }),
  };
}

export function claimFromFacts({ tx_hash, contract, session_id, owner }: JsonObject): StepClaim {
  return {
    ...(typeof tx_hash === 'string' && { txHash: tx_hash }),
    ...(typeof contract === 'string' && { contract }),
    ...(typeof session_id === 'string' && { sessionId: session_id }),
    ...(typeof owner === 'string' && { owner }),
  };
}

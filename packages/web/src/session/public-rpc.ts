/** JSON-RPC to the public node that the operator has named. The page sends the permit to it, not to this server. */
import { NodeError, OwnError } from '../wallet/wallet-error.js';

export class RpcRefused extends NodeError {
  override readonly name = 'RpcRefused';
}

/** It is not known whether the call had an effect. */
export class RpcUnclear extends OwnError {
  override readonly name = 'RpcUnclear';
}

export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

const TIMEOUT_MS = 60_000;

export function publicRpc(url: string): Rpc {
  let id = 0;
  return async (method, params) => {
    id += 1;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new RpcUnclear('The node of the network cannot be reached.');
    });
    const body: unknown = await response.json().catch(() => undefined);
    return resultOf(body);
  };
}

function resultOf(body: unknown): unknown {
  if (body !== null && typeof body === 'object') {
    if ('error' in body && body.error !== null) throw new RpcRefused(messageOf(body.error));
    if ('result' in body) return body.result;
  }
  throw new RpcUnclear('The node of the network gave no readable answer.');
}

function messageOf(error: unknown): string {
  const message =
    error !== null && typeof error === 'object' && 'message' in error ? error.message : undefined;
  return typeof message === 'string' ? message : 'The node of the network refused.';
}

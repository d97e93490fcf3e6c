/**
 * The reader of all configured chains. `HANDOVER_RPC_URL_<chainId>` names its chain; `XGR_RPC_URL` does not, so the
 * reader asks it once which chain it serves. Until it has answered, it is used for any chain: its client checks the
 * chain id before its first answer, so a wrong chain is never believed.
 */

import type { ChainSettings } from '../config/read-chains.js';
import { askChainId, createChainClient, type DeepChainClient } from './chain-client.js';
import { createJsonRpc, type JsonRpc, RPC_LIMITS, type RpcLimits } from './json-rpc.js';
import type { ChainReader } from './port.js';

export interface DeepChainReader extends ChainReader {
  chain(chainId: number): Promise<DeepChainClient | undefined>;
  defaultChain(): Promise<DeepChainClient | undefined>;
}

export function createChainReader(
  { rpcs, xgrRpc }: Pick<ChainSettings, 'rpcs' | 'xgrRpc'>,
  limits: RpcLimits = RPC_LIMITS,
): DeepChainReader {
  const clients = new Map<number, DeepChainClient>();
  for (const [chainId, url] of rpcs)
    clients.set(chainId, createChainClient(createJsonRpc(url, limits), chainId));
  const xgr = xgrRpc && createXgr(createJsonRpc(xgrRpc, limits));
  return {
    async chain(chainId) {
      const own = clients.get(chainId);
      if (own || !xgr) return own;
      const served = await xgr.chainId().catch(() => undefined);
      return served === undefined || served === chainId ? xgr.client(chainId) : undefined;
    },
    async defaultChain() {
      if (xgr) return xgr.client(await xgr.chainId());
      const [only, ...others] = clients.values();
      return others.length === 0 ? only : undefined;
    },
  };
}

function createXgr(rpc: JsonRpc) {
  // One is enough: it changes only while the RPC has not said yet what it serves.
  let latest: DeepChainClient | undefined;
  let served: Promise<number> | undefined;
  return {
    chainId(): Promise<number> {
      // Many may ask at once: they wait for one answer. A failure is not kept.
      served ??= askChainId(rpc).catch((failure: unknown) => {
        served = undefined;
        throw failure;
      });
      return served;
    },
    client(chainId: number): DeepChainClient {
      if (latest?.chainId !== chainId) latest = createChainClient(rpc, chainId);
      return latest;
    },
  };
}

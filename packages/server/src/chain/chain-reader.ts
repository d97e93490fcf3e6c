/**
 * The reader of all configured chains. `HANDOVER_RPC_URL_<chainId>` names its chain; `XGR_RPC_URL` does not, so the
 * reader asks it once which chain it serves. Until it has answered, it is used for any chain: its client checks the
 * chain id before its first answer, so a wrong chain is never believed.
 */

import type { ChainSettings } from '../config/read-chains.js';
import { askChainId, type Chain, createChain } from './chain-client.js';
import type { AskOutcome, Caller, ChainGate } from './gate.js';
import { createGatedRpc, type GatedRpc, type ReaderOptions } from './gated-rpc.js';
import type { ChainReader } from './port.js';

export interface RpcReader extends ChainReader {
  /** By the name of the RPC: the chain id of its setting, or `xgr`. */
  readonly gates: ReadonlyMap<string, ChainGate>;
}

export interface ChainReaderOptions extends ReaderOptions {
  /** Told of every question, with the name of its RPC. */
  readonly asked?: (rpc: string, outcome: AskOutcome, seconds: number) => void;
}

export const XGR_RPC = 'xgr';

export function createChainReader(
  { rpcs, xgrRpc }: Pick<ChainSettings, 'rpcs' | 'xgrRpc'>,
  options: ChainReaderOptions = {},
): RpcReader {
  const gates = new Map<string, ChainGate>();
  const open = (name: string, url: URL): GatedRpc => {
    const rpc = createGatedRpc(url, options, (outcome, seconds) => options.asked?.(name, outcome, seconds));
    gates.set(name, rpc.gate);
    return rpc;
  };
  const chains = new Map<number, Chain>();
  for (const [chainId, url] of rpcs) chains.set(chainId, createChain(open(String(chainId), url), chainId));
  const xgr = xgrRpc && createXgr(open(XGR_RPC, xgrRpc));
  return {
    gates,
    reads: (chainId) => chains.has(chainId) || xgr?.mayServe(chainId) === true,
    async chain(chainId, patience) {
      const own = chains.get(chainId);
      if (own || !xgr) return own?.client(own.rpc.caller(patience));
      const caller = xgr.rpc.caller(patience);
      const served = await xgr.chainId(caller).catch(() => undefined);
      return served === undefined || served === chainId ? xgr.chain(chainId).client(caller) : undefined;
    },
    async traces(chainId, patience) {
      const own = chains.get(chainId);
      if (own) return own.traces(own.rpc.caller(patience));
      if (!xgr) return undefined;
      const caller = xgr.rpc.caller(patience);
      const served = await xgr.chainId(caller).catch(() => undefined);
      return served === chainId ? xgr.chain(chainId).traces(caller) : undefined;
    },
    async defaultChain(patience) {
      if (xgr) {
        const caller = xgr.rpc.caller(patience);
        return xgr.chain(await xgr.chainId(caller)).client(caller);
      }
      const [only, ...others] = chains.values();
      return others.length === 0 ? only?.client(only.rpc.caller(patience)) : undefined;
    },
  };
}

function createXgr(rpc: GatedRpc) {
  // One is enough: it changes only while the RPC has not said yet what it serves.
  let latest: Chain | undefined;
  let served: number | undefined;
  return {
    rpc,
    mayServe: (chainId: number): boolean => served === undefined || served === chainId,
    async chainId(caller: Caller): Promise<number> {
      served ??= await askChainId(rpc, caller);
      return served;
    },
    chain(chainId: number): Chain {
      if (latest?.chainId !== chainId) latest = createChain(rpc, chainId);
      return latest;
    },
  };
}

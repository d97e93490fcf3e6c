/** One chain through one RPC: asks the port's questions as JSON-RPC and checks the chain id before the first answer. */

import { type BlockRounds, blockRounds, findSent } from './find-sent.js';
import type { Caller } from './gate.js';
import type { GatedRpc } from './gated-rpc.js';
import { isReadMethod, type ReadMethod } from './methods.js';
import { type ChainClient, ChainElsewhere, ChainRefused, ChainUnavailable, type Hex } from './port.js';
import {
  bytes,
  count,
  data,
  readBlockHash,
  readBlockTime,
  readLogs,
  readReceipt,
  readTransaction,
} from './rpc-answers.js';
import { type TraceSupport, traceSupport } from './trace.js';

/** A chain: gives each caller a client of its own. */
export interface Chain {
  readonly chainId: number;
  readonly rpc: GatedRpc;
  client(caller: Caller): ChainClient;
  /** Whether its RPC traces transactions; undefined: it is not known now. */
  traces(caller: Caller): Promise<boolean | undefined>;
}

export type Ask = (method: ReadMethod, params: readonly unknown[]) => Promise<unknown>;

export async function askChainId(rpc: GatedRpc, caller: Caller): Promise<number> {
  return count(await rpc.ask(caller, 'eth_chainId', []));
}

export function createChain(rpc: GatedRpc, chainId: number): Chain {
  let checked = false;
  const kept = { support: traceSupport(), rounds: blockRounds() };
  const check = async (caller: Caller) => {
    if ((await askChainId(rpc, caller)) !== chainId) throw new ChainElsewhere('the RPC serves another chain');
    checked = true;
  };
  const ask = async (caller: Caller, method: ReadMethod, params: readonly unknown[]): Promise<unknown> => {
    if (!checked) await check(caller);
    try {
      return await rpc.ask(caller, method, params);
    } catch (failure) {
      // What answers after a break may be another node: it has to say again which chain it serves.
      if (failure instanceof ChainUnavailable) checked = false;
      throw failure;
    }
  };
  return {
    chainId,
    rpc,
    client: (caller) => clientOf(chainId, (method, params) => ask(caller, method, params), kept),
    traces: (caller) => kept.support.probe((method, params) => ask(caller, method, params)),
  };
}

/** What all clients of a chain remember of its RPC. */
interface Kept {
  readonly support: TraceSupport;
  readonly rounds: BlockRounds;
}

function clientOf(chainId: number, ask: Ask, { support, rounds }: Kept): ChainClient {
  const height = (at: number | undefined) => (at === undefined ? 'latest' : hexNumber(at));
  return {
    chainId,
    blockNumber: async () => count(await ask('eth_blockNumber', [])),
    blockHash: async (number) =>
      readBlockHash(await ask('eth_getBlockByNumber', [hexNumber(number), false]), number),
    getTransaction: async (hash) =>
      readTransaction(await ask('eth_getTransactionByHash', [hash]), fold(hash)),
    getTransactionReceipt: async (hash) =>
      readReceipt(await ask('eth_getTransactionReceipt', [hash]), fold(hash)),
    call: async ({ to, data: input }, at) => data(await ask('eth_call', [{ to, data: input }, height(at)])),
    blockTime: async (number) =>
      readBlockTime(await ask('eth_getBlockByNumber', [hexNumber(number), false]), number),
    sentWith: (account, nonce, since) => findSent(ask, rounds, account, nonce, since),
    nonce: async (account, at) => {
      const block = typeof at === 'number' ? hexNumber(at) : at;
      return count(await ask('eth_getTransactionCount', [account, block]));
    },
    code: async (address, at) => data(await ask('eth_getCode', [address, height(at)])),
    storage: async (address, slot, at) =>
      bytes(await ask('eth_getStorageAt', [address, hexNumber(slot), hexNumber(at)]), 32),
    logs: async ({ address, topics, from, to }) => {
      const range = { fromBlock: hexNumber(from), toBlock: hexNumber(to) };
      return readLogs(await ask('eth_getLogs', [{ address, topics, ...range }]));
    },
    trace: (hash) => support.trace(ask, hash),
    request: (method, params) =>
      isReadMethod(method)
        ? ask(method, params)
        : Promise.reject(new ChainRefused('this server only reads: the method is not on its list')),
  };
}

const fold = (hex: Hex): Hex => hex.toLowerCase() as Hex;
const hexNumber = (value: number): string => `0x${value.toString(16)}`;

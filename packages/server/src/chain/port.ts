/**
 * The port to EVM chains: all that operations know of them. The reader implements it over JSON-RPC; tests bring a fake.
 *
 * H1. Read only. Nothing behind this port signs or sends.
 * H2. `unavailable` (time-out, refused, malformed answer) throws ChainUnavailable: it says nothing about the chain. A
 *     refusal by the chain itself, such as a reverted call, throws ChainRefused. "Not there" is null.
 * H3. Addresses, hashes and data come out as lowercase 0x hex; amounts as bigint; block numbers as number.
 * H4. A chain client has checked, before its first answer, that its RPC serves the chain id it is asked for.
 * H5. No error carries the RPC's URL: it may hold a key.
 * H6. An RPC that is silent delays a caller by its patience at most, and no other chain at all.
 */
import type { CallFrame, EventLog } from '@handover/evm';

export type Hex = `0x${string}`;

export interface ChainTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  /** Null: contract creation. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly data: Hex;
  readonly nonce: number;
  /** It also hands somebody's account to code (EIP-7702), whatever its recipient, value and data say. */
  readonly delegates?: boolean;
  /** As the transaction itself says; undefined for one signed without replay protection. */
  readonly chainId?: number;
  /** Null: not in a block yet. */
  readonly blockNumber: number | null;
  readonly blockHash: Hex | null;
}

export interface ChainReceipt {
  readonly transactionHash: Hex;
  readonly status: 'success' | 'reverted';
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  /** Of a creation that succeeded. */
  readonly contractAddress: Hex | null;
  readonly logs: readonly EventLog[];
  /** What its sender has paid for the gas, where the node tells it. */
  readonly fee?: bigint;
}

/** A line of the log, and where it stands. */
export interface ChainLog extends EventLog {
  readonly transactionHash: Hex;
  readonly blockNumber: number;
}

export interface LogQuery {
  /** Who wrote it. */
  readonly address: readonly string[];
  /** By place; null: any. */
  readonly topics: readonly (string | readonly string[] | null)[];
  readonly from: number;
  readonly to: number;
}

/** What is known of an account's transaction with a number. */
export interface SentTransaction {
  readonly hash?: Hex;
  /** It is in no block up to this one. */
  readonly through?: number;
}

export interface ChainCall {
  readonly to: Hex;
  readonly data: Hex;
}

/** One chain, through one RPC. */
export interface ChainClient {
  readonly chainId: number;
  blockNumber(): Promise<number>;
  /** Hash of the canonical block at a height; null: no such block yet. */
  blockHash(number: number): Promise<Hex | null>;
  getTransaction(hash: Hex): Promise<ChainTransaction | null>;
  getTransactionReceipt(hash: Hex): Promise<ChainReceipt | null>;
  /** `eth_call`, at the latest block unless told. ChainRefused when it reverts. */
  call(call: ChainCall, at?: number): Promise<Hex>;
  /** Time of a block in milliseconds; null: no such block yet. */
  blockTime(number: number): Promise<number | null>;
  /** An account's transaction with this number; without a hash it cannot be found. `since`: it is in no earlier block. */
  sentWith(account: Hex, nonce: number, since?: number): Promise<SentTransaction>;
  /**
   * How many transactions of an account are in blocks, up to one of them, or known to the node. Behind one URL may be
   * several nodes: only a number says which block is meant, and a node that has not seen it throws ChainErrored.
   */
  nonce(account: Hex, at: 'latest' | 'pending' | number): Promise<number>;
  /** `0x` when there is no contract. */
  code(address: Hex, at?: number): Promise<Hex>;
  /** A word of what a contract keeps. */
  storage(address: Hex, slot: number, at: number): Promise<Hex>;
  /** Throws ChainErrored, ChainRefused or ChainTooLarge when the RPC does not give so much. */
  logs(query: LogQuery): Promise<readonly ChainLog[]>;
  /** The calls inside a mined transaction; undefined: this RPC cannot say. */
  trace(hash: Hex): Promise<CallFrame | undefined>;
  /** Methods that the node adds, such as `xgr_sessionAlive`; the answer is raw JSON. */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** On whose behalf a client asks, and how long all its questions together may take. */
export interface Patience {
  /** Those who ask take turns. */
  readonly asker: string;
  readonly withinMs: number;
}

export interface ChainReader {
  /** Whether an RPC is configured for a chain, or may serve it: one that has not said yet what it serves may. */
  reads(chainId: number): boolean;
  /**
   * A client of a chain; undefined when no RPC is configured for it. Only to learn which chain `XGR_RPC_URL` serves does
   * it ask the network by itself.
   */
  chain(chainId: number, patience?: Patience): Promise<ChainClient | undefined>;
  /** The chain behind `XGR_RPC_URL`, else the only one that is configured; undefined when there is none. */
  defaultChain(patience?: Patience): Promise<ChainClient | undefined>;
  /** Whether the RPC of a chain traces transactions; undefined: no RPC, or it is not known now. */
  traces(chainId: number, patience?: Patience): Promise<boolean | undefined>;
}

/** Nothing was learned: ask again later. */
export class ChainUnavailable extends Error {
  override readonly name: string = 'ChainUnavailable';
  /** When the RPC will be asked again, where that is known. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** It answers for another chain than it is asked about. */
export class ChainElsewhere extends ChainUnavailable {
  override readonly name = 'ChainElsewhere';
}

/** There was no answer, or one that is no JSON-RPC: it is not known whether the RPC is there at all. */
export class ChainSilent extends ChainUnavailable {
  override readonly name = 'ChainSilent';
}

/** The RPC answered with an error that says nothing about the chain. */
export class ChainErrored extends ChainUnavailable {
  override readonly name = 'ChainErrored';
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** The RPC answered more than is taken. */
export class ChainTooLarge extends ChainUnavailable {
  override readonly name = 'ChainTooLarge';
}

/** The chain answered, and the answer is no. */
export class ChainRefused extends Error {
  override readonly name = 'ChainRefused';
}

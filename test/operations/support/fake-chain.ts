/** A chain in memory: blocks that tests add, take back and fill, behind the same port as the real reader. */

import {
  type ChainClient,
  ChainElsewhere,
  ChainErrored,
  type ChainLog,
  type ChainReader,
  type ChainReceipt,
  ChainRefused,
  type ChainTransaction,
  ChainUnavailable,
  type Hex,
  type LogQuery,
  type SentTransaction,
} from '../../../packages/server/src/chain/port.js';
import { encodeText, nodeTexts } from './texts.js';

export const hex = (n: number, digits = 64): Hex => `0x${n.toString(16).padStart(digits, '0')}`;

export interface FakeContract {
  readonly owner: string;
  readonly rule?: string;
  readonly ostc?: Readonly<Record<string, string>>;
  readonly executors?: readonly string[];
}

export interface FakeTransaction {
  readonly from: string;
  readonly to?: string;
  readonly value?: bigint;
  readonly data?: string;
  readonly chainId?: number;
  readonly nonce?: number;
}

/** What every transaction costs. */
export const FEE = 120_000_000_000_000n;
export class FakeChain implements ChainClient {
  readonly chainId: number;
  /** They stand there from the block on in which they are set. */
  readonly contracts = new FakeContracts(() => this.#height);
  readonly alive = new Set<string>();
  /** The number of everybody's next session; null: the node does not say. */
  nextSession: string | null = '1';
  /** The oldest block of which the node knows the state. */
  pruned = 0;
  /** Every question that was asked. */
  readonly asked: string[] = [];
  /** Accounts that run the code of others, and the log. */
  readonly delegates = new Set<string>();
  readonly lines: ChainLog[] = [];
  /** Accounts whose transactions the node does not find by their number. */
  readonly nameless = new Set<string>();
  /** Transactions of which the node has not heard yet. */
  readonly hidden = new Set<string>();
  /** Of the nodes behind its RPC, the one that counts transactions and reads the log stands so many blocks behind. */
  behind = 0;
  down = false;
  /** Its RPC serves another chain. */
  elsewhere = false;
  /** Null: the node does not say. */
  timeOf: (block: number) => number | null = () => Date.now();
  #height = 100;
  #sent = 0;
  #branch = 1;
  readonly #transactions = new Map<string, ChainTransaction>();
  readonly #receipts = new Map<string, ChainReceipt>();
  readonly #blocks = new Map<number, Hex>();

  constructor(chainId: number) {
    this.chainId = chainId;
  }

  /** A transaction that waits to be mined. One with the number of another takes its place. */
  send(tx: FakeTransaction): Hex {
    const hash = hex(0xabc000 + this.#sent++);
    const from = tx.from.toLowerCase() as Hex;
    const nonce = tx.nonce ?? this.#of(from).length;
    const replaced = this.#of(from).find((one) => one.nonce === nonce);
    if (replaced) this.drop(replaced.hash);
    this.#transactions.set(hash, {
      hash,
      from,
      to: (tx.to?.toLowerCase() as Hex | undefined) ?? null,
      value: tx.value ?? 0n,
      data: (tx.data ?? '0x') as Hex,
      nonce,
      chainId: tx.chainId ?? this.chainId,
      blockNumber: null,
      blockHash: null,
    });
    return hash;
  }

  mine(hash: Hex, status: 'success' | 'reverted' = 'success', contractAddress: Hex | null = null): void {
    const tx = this.#transactions.get(hash);
    if (!tx) throw new Error('no such transaction');
    this.advance(1);
    const blockNumber = this.#height;
    const blockHash = this.#hashAt(blockNumber);
    this.#transactions.set(hash, { ...tx, blockNumber, blockHash });
    const { from, to } = tx;
    this.#receipts.set(hash, {
      transactionHash: hash,
      status,
      blockNumber,
      blockHash,
      from,
      to,
      contractAddress,
      fee: FEE,
      logs: [],
    });
  }

  /** The node forgets it. */
  drop(hash: Hex): void {
    if (this.#receipts.has(hash)) throw new Error('it is mined');
    this.#transactions.delete(hash);
  }

  #of(account: string): readonly ChainTransaction[] {
    return [...this.#transactions.values()].filter(({ from }) => from === account);
  }

  advance(blocks: number): void {
    this.#height += blocks;
  }

  /** Another branch wins: the last blocks are others, and this transaction is not in them. */
  reorg(hash: Hex): void {
    const receipt = this.#receipts.get(hash);
    if (!receipt) throw new Error('not mined');
    this.#branch++;
    for (let n = receipt.blockNumber; n <= this.#height; n++)
      this.#blocks.set(n, hex(this.#branch * 1_000_000 + n));
    this.#receipts.delete(hash);
  }

  #hashAt(n: number): Hex {
    const known = this.#blocks.get(n) ?? hex(this.#branch * 1_000_000 + n);
    this.#blocks.set(n, known);
    return known;
  }

  #ask(what: string): void {
    this.asked.push(what);
    if (this.elsewhere) throw new ChainElsewhere('the RPC serves another chain');
    if (this.down) throw new ChainUnavailable('the RPC does not answer');
  }

  async blockNumber(): Promise<number> {
    this.#ask('blockNumber');
    return this.#height;
  }

  async blockHash(number: number): Promise<Hex | null> {
    this.#ask('blockHash');
    return number > this.#height ? null : this.#hashAt(number);
  }

  async getTransaction(hash: Hex): Promise<ChainTransaction | null> {
    this.#ask('getTransaction');
    return this.hidden.has(hash) ? null : (this.#transactions.get(hash) ?? null);
  }

  async getTransactionReceipt(hash: Hex): Promise<ChainReceipt | null> {
    this.#ask('getTransactionReceipt');
    return this.#receipts.get(hash) ?? null;
  }

  async blockTime(number: number): Promise<number | null> {
    this.#ask('blockTime');
    return number > this.#height ? null : this.timeOf(number);
  }

  async nonce(account: Hex, at: 'latest' | 'pending' | number): Promise<number> {
    this.#ask('nonce');
    const height = this.#height - this.behind;
    if (typeof at === 'number' && at > height) throw new ChainErrored('header not found', -32_000);
    const last = typeof at === 'number' ? at : height;
    const isCounted = ({ hash, blockNumber }: ChainTransaction) =>
      blockNumber === null ? at === 'pending' && !this.hidden.has(hash) : blockNumber <= last;
    return this.#of(account).filter(isCounted).length;
  }

  async sentWith(account: Hex, nonce: number): Promise<SentTransaction> {
    this.#ask('sentWith');
    if (this.nameless.has(account)) return {};
    const hash = this.#of(account).find((tx) => tx.nonce === nonce)?.hash;
    return hash ? { hash } : {};
  }

  async storage(): Promise<Hex> {
    this.#ask('storage');
    return hex(0);
  }

  async logs({ address, from, to }: LogQuery): Promise<readonly ChainLog[]> {
    this.#ask('logs');
    const last = Math.min(to, this.#height - this.behind);
    return this.lines.filter(
      (line) => address.includes(line.address) && from <= line.blockNumber && line.blockNumber <= last,
    );
  }

  async trace(): Promise<undefined> {
    this.#ask('trace');
  }

  #state(at = this.#height): number {
    if (at < this.pruned) throw new ChainErrored('missing trie node', -32_000);
    return at;
  }

  async code(address: Hex, at?: number): Promise<Hex> {
    this.#ask('code');
    if (this.delegates.has(address.toLowerCase())) return `0xef0100${'ab'.repeat(20)}`;
    return this.contracts.at(address.toLowerCase(), this.#state(at)) ? '0x60' : '0x';
  }

  async call({ to, data }: { to: Hex; data: Hex }, at?: number): Promise<Hex> {
    this.#ask('call');
    const contract = this.contracts.at(to.toLowerCase(), this.#state(at));
    if (!contract) return '0x';
    const selector = data.slice(2, 10);
    const padded = (address: string) => address.slice(2).toLowerCase().padStart(64, '0');
    if (selector === '8da5cb5b') return `0x${padded(contract.owner)}`;
    if (selector === 'b78ba7c8' && contract.rule !== undefined) return `0x${encodeText(contract.rule)}`;
    if (selector === 'b6a0a31a' && contract.executors) {
      const words = contract.executors.map(padded).join('');
      return `0x${hex(32).slice(2)}${hex(contract.executors.length).slice(2)}${words}`;
    }
    if (selector === '9335a4d1') {
      const found = Object.entries(contract.ostc ?? {}).find(
        ([id]) => nodeTexts.call('9335a4d1', id) === data,
      );
      if (found) return `0x${encodeText(found[1])}`;
    }
    if (selector === '3d9b1fcf' && contract.ostc)
      return `0x${'ab'.repeat(32)}${hex(1).slice(2)}${hex(1).slice(2)}`;
    throw new ChainRefused('reverted');
  }

  async request(method: string, [owner, id]: readonly unknown[]): Promise<unknown> {
    this.#ask(method);
    if (method === 'xgr_getNextProcessId') return { nextProcessId: this.nextSession };
    const known = this.alive.has(`${String(owner).toLowerCase()}/${String(id)}`);
    return method === 'xgr_sessionAlive' ? known : null;
  }
}

class FakeContracts extends Map<string, FakeContract> {
  readonly #height: () => number;
  readonly #born = new Map<string, number>();

  constructor(height: () => number) {
    super();
    this.#height = height;
  }

  override set(address: string, contract: FakeContract): this {
    if (!this.has(address)) this.#born.set(address, this.#height());
    return super.set(address, contract);
  }

  at(address: string, block: number): FakeContract | undefined {
    return (this.#born.get(address) ?? 0) <= block ? this.get(address) : undefined;
  }
}

export function readerOf(...chains: readonly FakeChain[]): ChainReader {
  return {
    reads: (chainId) => chains.some((chain) => chain.chainId === chainId),
    chain: async (chainId) => chains.find((chain) => chain.chainId === chainId),
    defaultChain: async () => chains[0],
    traces: async () => false,
  };
}

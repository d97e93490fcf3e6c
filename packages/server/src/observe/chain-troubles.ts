/**
 * What the RPCs of chains answered last: which of them cannot be looked at now, and since when. For views of what waits for
 * them, for what agents and people are told before anything is signed, for /health, and for one line a minute in the log. It
 * is fed by the questions that are asked anyway. It holds the code and the chain id alone; the URL of an RPC may hold a key.
 */
import { ReasonCode } from '@handover/core';
import type { Log } from './log.js';
import { SparseLines } from './sparse-lines.js';

export interface ChainTrouble {
  readonly chainId: number;
  readonly code: typeof ReasonCode.RpcWrongChain | typeof ReasonCode.RpcUnavailable;
  readonly since: number;
}

const MINUTE_MS = 60_000;

export class ChainTroubles {
  readonly #log: Log;
  readonly #now: () => number;
  /** So many chains are remembered. */
  readonly #most: number;
  readonly #lines = new SparseLines(MINUTE_MS);
  /** By chain id. While it is not known which chain an RPC serves, agents choose the ids: both are bounded. */
  readonly #troubles = new Map<number, ChainTrouble>();
  readonly #heardAt = new Map<number, number>();

  constructor(log: Log, now: () => number, most: number) {
    this.#log = log;
    this.#now = now;
    this.#most = most;
  }

  /** A look at the chain failed. */
  failed(chainId: number, servesAnother: boolean): void {
    const code = servesAnother ? ReasonCode.RpcWrongChain : ReasonCode.RpcUnavailable;
    const before = this.#troubles.get(chainId);
    this.#put(
      this.#troubles,
      chainId,
      before?.code === code ? before : { chainId, code, since: this.#now() },
    );
    this.#put(this.#heardAt, chainId, this.#now());
    const unsaid = this.#lines.take(String(chainId));
    if (unsaid === undefined) return;
    const message = adviceFor(code, `HANDOVER_RPC_URL_${chainId} or XGR_RPC_URL`);
    this.#log.warn('operations.chain_trouble', { chainId, code, unsaid, message });
  }

  /** The RPC that does not name its chain could not be asked which one it serves. */
  failedUnnamed(): void {
    const code = ReasonCode.RpcUnavailable;
    this.#log.warn('operations.chain_trouble', { code, message: adviceFor(code, 'XGR_RPC_URL') });
  }

  answered(chainId: number): void {
    this.#put(this.#heardAt, chainId, this.#now());
    if (this.#troubles.delete(chainId)) this.#log.info('operations.chain_answers', { chainId });
  }

  /** There is no RPC for it. */
  unread(chainId: number): void {
    this.#troubles.delete(chainId);
  }

  /** Once a minute at most, and only when nothing was heard of the chain meanwhile: the RPC is to be asked. */
  isDue(chainId: number): boolean {
    const heardAt = this.#heardAt.get(chainId);
    if (heardAt !== undefined && this.#now() < heardAt + MINUTE_MS) return false;
    this.#put(this.#heardAt, chainId, this.#now());
    return true;
  }

  of(chainId: number): ChainTrouble | undefined {
    return this.#troubles.get(chainId);
  }

  all(): readonly ChainTrouble[] {
    return [...this.#troubles.values()];
  }

  /** The oldest makes room. */
  #put<T>(map: Map<number, T>, chainId: number, value: T): void {
    map.delete(chainId);
    map.set(chainId, value);
    const [oldest] = map.keys();
    if (map.size > this.#most && oldest !== undefined) map.delete(oldest);
  }
}

const adviceFor = (code: ChainTrouble['code'], settings: string): string =>
  code === ReasonCode.RpcWrongChain
    ? `the RPC serves another chain, so nothing of this one is verified: correct ${settings}`
    : `the RPC does not answer: what wallets say is recorded, and verified when it answers; check ${settings}`;

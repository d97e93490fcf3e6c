/**
 * Chains that cannot be looked at now, and since when: for views of what waits for them, for /health, and for one line a
 * minute in the log. It holds the code and the chain id alone; the URL of an RPC may hold a key.
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
  readonly #lines = new SparseLines(MINUTE_MS);
  /** Chains that are looked at have an RPC, so there are no more of them than settings. */
  readonly #troubles = new Map<number, ChainTrouble>();

  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** A look at the chain failed. */
  failed(chainId: number, servesAnother: boolean): void {
    const code = servesAnother ? ReasonCode.RpcWrongChain : ReasonCode.RpcUnavailable;
    const before = this.#troubles.get(chainId);
    const trouble = before?.code === code ? before : { chainId, code, since: this.#now() };
    this.#troubles.set(chainId, trouble);
    const unsaid = this.#lines.take(String(chainId));
    if (unsaid !== undefined) this.#log.warn('operations.chain_trouble', { chainId, code, unsaid });
  }

  answered(chainId: number): void {
    this.#troubles.delete(chainId);
  }

  of(chainId: number): ChainTrouble | undefined {
    return this.#troubles.get(chainId);
  }

  all(): readonly ChainTrouble[] {
    return [...this.#troubles.values()];
  }
}

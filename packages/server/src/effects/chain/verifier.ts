/**
 * The effect that reads the chain for what browsers have claimed, and submits what it found as ordinary commands.
 *
 * V1. It asks the chain only while a claim is open, or an ask may have been signed. A record on a chain without an RPC is
 *     left unverified.
 * V2. It follows the feed: each ask and each claim makes it look. After a start it looks at every record that is not over.
 * V3. It submits only what it learned: an RPC that fails leaves everything as it was.
 * V4. When a record is over, it erases what only holders of the secret may read.
 * V5. Each chain has its own watch (chain-watch.ts).
 * V6. After a start nothing is looked at before all records were found: whose a payment is can be said only when the asks
 *     of all are known. What is told meanwhile waits for its turn, and nobody waits for the finding.
 */
import { isOver, type StreamRef, streamKey } from '@handover/core';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import type { Pauses } from '../keep-going.js';
import { ChainWatch } from './chain-watch.js';
import { followRecords, scanRecords } from './follow-records.js';
import { isWatchable, lookAtRecord } from './look-at-record.js';
import type { OpenAskIndex } from './open-asks.js';
import { ScanMarks } from './scan-marks.js';

export interface VerifierOptions {
  readonly pollMs?: number;
  readonly pauses?: Pauses;
}

const POLL_MS = 2_000;
const UNREAD =
  'open requests are on chains without an RPC: what wallets say of them is recorded and not verified. HANDOVER_RPC_URL_<chainId> names one';

export class Verifier {
  readonly #deps: OperationDependencies;
  readonly #options: VerifierOptions;
  readonly #asks: OpenAskIndex;
  readonly #marks = new ScanMarks();
  /** By chain id; only chains with open claims. */
  readonly #chains = new Map<number, ChainWatch>();
  /** Records that are not over. */
  readonly #alive = new Set<string>();
  /** Of those that were there at the start: how many no RPC can show anything of. */
  #unread = 0;
  readonly #closing = new AbortController();
  /** Every record that was there at the start has been found. */
  #knowsAll = false;
  #scanning: Promise<void> | undefined;
  #following: Promise<void> | undefined;

  constructor(deps: OperationDependencies, asks: OpenAskIndex, options: VerifierOptions = {}) {
    this.#deps = deps;
    this.#asks = asks;
    this.#options = options;
  }

  /** How many records are being watched. */
  get watching(): number {
    return this.#sum(({ size }) => size);
  }

  /** How many of them wait for their turn. */
  get waiting(): number {
    return this.#sum(({ waiting }) => waiting);
  }

  /** Whether a record waits for its person or for the chain, as far as is known yet. */
  get isBusy(): boolean {
    return this.#scanning !== undefined || this.#alive.size > 0;
  }

  /** Does not wait until the records that are already there have been found. */
  async start(): Promise<void> {
    const { engine, store, now } = this.#deps;
    const options = { deps: this.#deps, signal: this.#closing.signal, pauses: this.#options.pauses };
    const from = await engine.position();
    this.#following = followRecords(options, from, (ref) => this.#handle(ref));
    this.#scanning = scanRecords(options, (ref) => this.#found(ref)).finally(() => {
      this.#scanning = undefined;
      this.#knowsAll = !this.#closing.signal.aborted;
      if (this.#knowsAll) for (const watch of this.#chains.values()) watch.resume();
      this.#sayUnread();
    });
    await store.credentials.purge(now());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#scanning, this.#following]);
    await Promise.all([...this.#chains.values()].map((watch) => watch.close()));
  }

  /** Looks once at everything that is open; tests call it instead of waiting. */
  async look(): Promise<void> {
    await this.#scanning;
    await Promise.all([...this.#chains.values()].map((watch) => watch.lookAtAll()));
  }

  async #found(ref: StreamRef<'operation'>): Promise<void> {
    const record = await readRecord(this.#deps, ref);
    if (!record) return;
    this.#asks.update(record);
    if (!isOver(record.state)) this.#alive.add(streamKey(ref));
    if (!isOver(record.state) && !this.#deps.chains.reads(record.state.chainId)) this.#unread += 1;
    if (isWatchable(record.state, this.#deps.now())) this.#watch(record);
  }

  #sayUnread(): void {
    if (this.#unread > 0)
      this.#deps.log.warn('operations.unread_chains', { open: this.#unread, message: UNREAD });
  }

  async #handle(ref: StreamRef<'operation'>): Promise<void> {
    const record = await readRecord(this.#deps, ref);
    if (!record) return;
    this.#asks.update(record);
    if (isWatchable(record.state, this.#deps.now())) this.#watch(record);
    if (!isOver(record.state)) {
      this.#alive.add(streamKey(ref));
      return;
    }
    this.#alive.delete(streamKey(ref));
    await this.#deps.store.credentials.erase(ref);
  }

  #watch({ ref, state: { chainId, creator } }: OperationRecord): void {
    if (this.#closing.signal.aborted) return;
    const watch = this.#chains.get(chainId) ?? this.#openWatch(chainId);
    watch.watch(ref, `${ref.tenant}\n${creator}`);
  }

  #openWatch(chainId: number): ChainWatch {
    const watch: ChainWatch = new ChainWatch({
      pollMs: this.#options.pollMs ?? POLL_MS,
      mayLook: () => this.#knowsAll,
      look: (ref) => lookAtRecord(this.#deps, { asks: this.#asks, marks: this.#marks }, ref),
      onEmpty: () => {
        if (this.#chains.get(chainId) === watch) this.#chains.delete(chainId);
      },
    });
    this.#chains.set(chainId, watch);
    return watch;
  }

  #sum(of: (watch: ChainWatch) => number): number {
    return [...this.#chains.values()].reduce((sum, watch) => sum + of(watch), 0);
  }
}

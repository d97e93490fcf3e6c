/**
 * The effect that reads the chain for what browsers have claimed, and submits what it found as ordinary commands.
 *
 * V1. It asks the chain only while a claim is open. A record on a chain without an RPC is left unverified.
 * V2. It follows the feed: each claim makes it look. After a start it looks at every record that is not over (100,000 at most).
 * V3. It submits only what it learned: an RPC that fails leaves everything as it was.
 * V4. When a record is over, it erases what only holders of the secret may read.
 */
import { performance } from 'node:perf_hooks';
import {
  isOver,
  OperationEntryType,
  RUNTIME_ACTOR,
  StreamKind,
  type StreamRef,
  streamKey,
} from '@handover/core';
import type { Cursor } from '@handover/engine';
import { ChainRefused, ChainUnavailable } from '../../chain/port.js';
import { follow } from '../../services/follow.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { readRecord } from '../../services/operations/record.js';
import { submitTo } from '../../services/operations/submit.js';
import { hasOpenClaims, lookAt } from './check-claims.js';

export interface VerifierOptions {
  readonly pollMs?: number;
}

/** A record with open claims. The longer nothing happens, the less often the chain is asked. */
interface Watched {
  readonly ref: StreamRef<'operation'>;
  quiet: number;
  nextAt: number;
}

const POLL_MS = 2_000;
const MAX_POLL_MS = 60_000;
const SLOWER = 1.15;
/** Further away than any due time: an operation that is not over is due within its TTL and one day. */
const HORIZON_MS = 4 * 24 * 60 * 60 * 1000;
const AT_START = 100_000;

export class Verifier {
  readonly #deps: OperationDependencies;
  readonly #pollMs: number;
  readonly #open = new Map<string, Watched>();
  /** Records that are not over. */
  readonly #alive = new Set<string>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #following: Promise<void> | undefined;

  constructor(deps: OperationDependencies, { pollMs = POLL_MS }: VerifierOptions = {}) {
    this.#deps = deps;
    this.#pollMs = pollMs;
  }

  /** How many records are being watched. */
  get watching(): number {
    return this.#open.size;
  }

  /** How many records wait for their person or for the chain. */
  get alive(): number {
    return this.#alive.size;
  }

  async start(): Promise<void> {
    const { engine, store, now } = this.#deps;
    const from = await engine.position();
    this.#following = this.#follow(from);
    for (const { ref } of await store.due({ upTo: now() + HORIZON_MS, limit: AT_START, kind: StreamKind.Operation })) {
      if (ref.kind !== StreamKind.Operation) continue;
      this.#watch(ref);
      this.#alive.add(streamKey(ref));
    }
    await store.credentials.purge(now());
    this.#schedule(0);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#following;
  }

  /** One round over everything that is open; tests call it instead of waiting. */
  look(): Promise<void> {
    return this.#round(Number.POSITIVE_INFINITY);
  }

  /** Looks at every record whose next look is due by this time. */
  async #round(upTo: number): Promise<void> {
    for (const [key, watched] of [...this.#open]) {
      if (watched.nextAt > upTo) continue;
      const again = await this.#lookAt(watched);
      // A claim that came meanwhile has replaced the object, so its record stays watched.
      if (!again && this.#open.get(key) === watched) this.#open.delete(key);
    }
  }

  /** Makes a new object each time: `#round` compares objects to notice a claim that came while it looked. */
  #watch(ref: StreamRef<'operation'>): void {
    this.#open.set(streamKey(ref), { ref, quiet: 0, nextAt: 0 });
  }

  async #follow(from: Cursor): Promise<void> {
    try {
      for await (const { entry } of follow(this.#deps.engine, from, this.#closing.signal)) {
        if (entry.stream.kind !== StreamKind.Operation) continue;
        if (claims(entry.type, entry.facts.step_status)) {
          this.#watch(entry.stream);
          this.#schedule(0);
        }
        await this.#eraseWhenOver(entry.stream);
      }
    } catch (thrown) {
      this.#deps.log.error('operations.follow', { error: thrown });
    }
  }

  async #eraseWhenOver(ref: StreamRef<'operation'>): Promise<void> {
    const found = await this.#deps.engine.query(ref);
    if (!found) return;
    if (!isOver(found.state)) {
      this.#alive.add(streamKey(ref));
      return;
    }
    this.#alive.delete(streamKey(ref));
    await this.#deps.store.credentials.erase(ref);
  }

  #schedule(ms: number): void {
    if (this.#closing.signal.aborted || this.#looking || this.#open.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#looking = this.#round(performance.now())
        .catch((thrown: unknown) => this.#deps.log.error('operations.look', { error: thrown }))
        .finally(() => {
          this.#looking = undefined;
          this.#schedule(this.#pollMs);
        });
    }, ms);
    this.#timer.unref();
  }

  /** Whether to look again. */
  async #lookAt(watched: Watched): Promise<boolean> {
    const { ref } = watched;
    const wait = Math.min(MAX_POLL_MS, this.#pollMs * SLOWER ** watched.quiet++);
    watched.nextAt = performance.now() + wait - this.#pollMs / 2;
    const record = await readRecord(this.#deps, ref);
    if (!record || !hasOpenClaims(record)) return false;
    try {
      const client = await this.#deps.chains.chain(record.state.chainId);
      if (!client) return false;
      const { verdicts, again } = await lookAt(this.#deps, client, record);
      for (const command of verdicts) {
        const answer = await submitTo(this.#deps, record, RUNTIME_ACTOR, command);
        if (answer.ok && answer.results.some(({ entries }) => entries.length > 0)) watched.quiet = 0;
      }
      return again;
    } catch (thrown) {
      if (thrown instanceof ChainUnavailable || thrown instanceof ChainRefused) return true;
      throw thrown;
    }
  }
}

const claims = (type: string, stepStatus: unknown): boolean =>
  type === OperationEntryType.Result || (type === OperationEntryType.Posted && stepStatus === 'submitted');

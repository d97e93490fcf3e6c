/**
 * Everybody who listens, at whatever door: watches, streams, event streams, subscriptions, waits.
 *
 * L1. A principal has a bounded number of listeners, and so has the server. One more is refused.
 * L2. What waits to be sent is bounded in bytes, for a principal and in all: beyond that nothing more is taken up until
 *     clients have taken some of it. One principal cannot use up the room of the others.
 * L3. While somebody waits for room, a listener whose client has taken nothing for a while is cut off; sooner when others
 *     wait than its own principal.
 * L4. A place is given back when the call is gone, not when it was told to end: what a client does not take counts until
 *     it is dropped.
 * L5. What was opened with a credential ends when that is no longer good, whether anything comes or not.
 */
import { type Rejection, RejectionCode, reject } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Metrics } from '../../observe/metrics.js';
import type { Audit } from '../../observe/security-log.js';
import type { Outcome } from '../outcome.js';
import { ByteGate } from './byte-gate.js';
import { expired, lagged } from './lagged.js';
import { type CutOff, HeldListener, type Listener } from './listener.js';

export interface ListenerLimits {
  readonly perPrincipal: number;
  readonly inAll: number;
  /** Bytes that may wait to be sent, to all listeners together. */
  readonly bytesInAll: number;
}

export interface ListenersOptions {
  readonly limits: ListenerLimits;
  readonly audit: Pick<Audit, 'quotaHit' | 'listenerCutOff'>;
  readonly metrics: Pick<Metrics, 'listenerCutOff' | 'rateLimited'>;
  readonly now: () => number;
}

/** What the listeners of one principal have together. */
interface Share {
  count: number;
  readonly gate: ByteGate;
}

const SWEEP_MS = 1_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const sweepsIn = (ms: number): number => ms / SWEEP_MS;

export class Listeners {
  readonly #options: ListenersOptions;
  readonly #all = new Set<HeldListener>();
  readonly #shares = new Map<string, Share>();
  readonly #gate: ByteGate;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: ListenersOptions) {
    this.#options = options;
    this.#gate = new ByteGate(options.limits.bytesInAll);
  }

  get count(): number {
    return this.#all.size;
  }

  get bytes(): number {
    return this.#gate.bytes;
  }

  admit(principal: Principal, cutOff: CutOff): Outcome<Listener> {
    const { audit, metrics } = this.#options;
    const key = `${principal.tenant}\n${principal.agent}`;
    const share = this.#shares.get(key) ?? this.#newShare();
    const rejection = this.#rejection(share);
    if (rejection) {
      metrics.rateLimited('listeners');
      audit.quotaHit({ actor: principal, quota: 'listeners' });
      return { rejection };
    }
    share.count++;
    this.#shares.set(key, share);
    const listener = new HeldListener([share.gate, this.#gate], {
      waits: () => this.#watch(),
      cutOff,
      behind: () => {
        metrics.listenerCutOff();
        audit.listenerCutOff({ actor: principal });
      },
      left: () => {
        clearInterval(expiry);
        this.#all.delete(listener);
        if (--share.count === 0) this.#shares.delete(key);
      },
    });
    const expiry = this.#expiry(principal, listener);
    this.#all.add(listener);
    return { value: listener };
  }

  #expiry({ validUntil }: Principal, listener: HeldListener): NodeJS.Timeout | undefined {
    if (validUntil === undefined) return undefined;
    const { now } = this.#options;
    const timer = setInterval(
      () => {
        if (now() < validUntil) return;
        clearInterval(timer);
        listener.end(expired());
      },
      Math.min(Math.max(1, validUntil - now()), LONGEST_TIMER_MS),
    ).unref();
    return timer;
  }

  #newShare(): Share {
    return {
      count: 0,
      gate: new ByteGate(this.#options.limits.bytesInAll / fixedLimits.listenerShares.value),
    };
  }

  #rejection({ count }: Share): Rejection | undefined {
    const { perPrincipal, inAll } = this.#options.limits;
    if (count >= perPrincipal)
      return reject(
        RejectionCode.RATE_LIMITED,
        `${count} calls of this identity listen, as many as HANDOVER_LISTENERS_PER_PRINCIPAL allows; end one first`,
      );
    if (this.#all.size < inAll) return undefined;
    return reject(
      RejectionCode.RATE_LIMITED,
      'the server has as many listeners as HANDOVER_LISTENERS_TOTAL allows; try again later',
    );
  }

  #watch(): void {
    this.#sweep ??= setInterval(() => this.#cutQuiet(), SWEEP_MS).unref();
  }

  #cutQuiet(): void {
    const { quietListenerMs, quietListenerOfOwnMs } = fixedLimits;
    const patience = sweepsIn((this.#gate.crowded ? quietListenerMs : quietListenerOfOwnMs).value);
    let crowded = false;
    for (const listener of [...this.#all]) {
      if (!listener.crowded) continue;
      crowded = true;
      if (listener.quietSweeps() >= patience) listener.cut(lagged(), true);
    }
    if (crowded) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

/**
 * Delivers what the outbox holds: a few at a time to one address, each at its due time, again after a failure, until it
 * is given up. Due times are times of the wall clock, because a wait outlives the process.
 */
import { fixedLimits } from '../../config/fixed-limits.js';
import type { WebhookOutcome } from '../../observe/effect-metrics.js';
import type { Log } from '../../observe/log.js';
import type { Outbox } from './outbox.js';
import { type PostResult, postWebhook } from './post-webhook.js';
import type { AddressRules } from './public-address.js';
import type { Resolve } from './resolve-target.js';
import { DEFAULT_SCHEDULE, type RetrySchedule, retryDelay } from './retry-schedule.js';
import type { Delivery, WebhookEndpoint } from './types.js';

export interface DelivererOptions {
  readonly endpoints: ReadonlyMap<string, WebhookEndpoint>;
  readonly rules: AddressRules;
  readonly log: Log;
  readonly now: () => number;
  readonly version: string;
  readonly schedule?: RetrySchedule;
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
  /** Told what became of each delivery. */
  readonly count?: (outcome: WebhookOutcome, deliveries?: number) => void;
}

const PER_ENDPOINT = fixedLimits.webhookRequestsPerAddress.value;
const DEFAULT_TIMEOUT_MS = fixedLimits.webhookRequestMs.value;
/** The longest wait between two looks at the clock, because the clock may jump. */
const MAX_WAIT_MS = 60_000;

export class Deliverer {
  readonly #outbox: Outbox;
  readonly #options: DelivererOptions;
  readonly #signal: AbortSignal;
  readonly #running = new Map<Delivery, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #room: (() => void) | undefined;

  constructor(outbox: Outbox, options: DelivererOptions, signal: AbortSignal) {
    this.#outbox = outbox;
    this.#options = options;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#room?.());
  }

  /** Starts every delivery that is due and may run, and sets a timer for the next one. */
  pump(): void {
    clearTimeout(this.#timer);
    if (this.#signal.aborted) return;
    const now = this.#options.now();
    const busy = this.#busy();
    let wait = Number.POSITIVE_INFINITY;
    for (const delivery of this.#outbox.pending) {
      const { endpointId, nextAt } = delivery;
      const endpoint = this.#options.endpoints.get(endpointId);
      const active = busy.get(endpointId) ?? 0;
      if (!endpoint || active >= PER_ENDPOINT || this.#running.has(delivery)) continue;
      if (nextAt > now) {
        wait = Math.min(wait, nextAt - now, MAX_WAIT_MS);
        continue;
      }
      busy.set(endpointId, active + 1);
      this.#running.set(delivery, this.#run(endpoint, delivery));
    }
    if (wait < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.pump(), wait).unref();
  }

  /** Resolves when an attempt has ended, which may have made room in the outbox, or when the signal aborts. */
  roomMade(): Promise<void> {
    return new Promise((resolve) => {
      this.#room = resolve;
    });
  }

  /** Waits for the attempts that the signal has cut off. They do not count as failures. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#running.values());
  }

  #busy(): Map<string, number> {
    const busy = new Map<string, number>();
    for (const { endpointId } of this.#running.keys()) busy.set(endpointId, (busy.get(endpointId) ?? 0) + 1);
    return busy;
  }

  async #run(endpoint: WebhookEndpoint, delivery: Delivery): Promise<void> {
    const { rules, now, timeoutMs = DEFAULT_TIMEOUT_MS, version, resolve } = this.#options;
    const result = await postWebhook(endpoint, delivery.event, {
      rules,
      now,
      timeoutMs,
      userAgent: `handover/${version}`,
      signal: this.#signal,
      ...(resolve && { resolve }),
    }).catch((error: unknown) => this.#unsendable(delivery, error));
    this.#running.delete(delivery);
    if (result.ok) {
      this.#outbox.settle(delivery);
      this.#options.count?.('delivered');
    } else if (!this.#signal.aborted) this.#failed(endpoint, delivery, result);
    this.#room?.();
    this.pump();
  }

  /** Something about it cannot be written as a request. The server goes on, and the delivery is tried as any other. */
  #unsendable({ event }: Delivery, error: unknown): PostResult {
    this.#options.log.error('webhooks.unsendable', { webhook: event.id, error });
    return { ok: false, reason: 'it could not be sent' };
  }

  #failed(endpoint: WebhookEndpoint, delivery: Delivery, result: Extract<PostResult, { ok: false }>): void {
    const { log, now, schedule = DEFAULT_SCHEDULE } = this.#options;
    const { event, endpointId } = delivery;
    const { reason } = result;
    const attempts = delivery.attempts + 1;
    const fields = { webhook: event.id, type: event.type, endpoint: endpointId, attempts, reason };
    const delay = result.gone ? undefined : retryDelay(schedule, attempts, Math.random());
    if (delay === undefined) {
      log.error('webhooks.given_up', fields);
      const letter = { event, endpointId, url: endpoint.url, attempts, failedAt: now(), reason };
      this.#outbox.giveUp(delivery, letter);
      this.#options.count?.('given_up');
      return;
    }
    log.warn('webhooks.failed', fields);
    this.#options.count?.('failed');
    const nextAt = now() + Math.max(delay, result.retryAfterMs ?? 0);
    this.#outbox.settle(delivery, { ...delivery, attempts, nextAt });
  }
}

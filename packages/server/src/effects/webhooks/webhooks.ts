/**
 * Tells the configured addresses what happened to handoffs and operations: follows the feed and fills the outbox.
 *
 * X1. At least once: a delivery is removed when its receiver has answered 2xx, or after the last attempt, which leaves
 *     a dead letter. A restart or a crash may repeat deliveries and never loses one. An error while the feed is read
 *     costs a pause.
 * X2. Events of one handoff may arrive in another order than they happened; each event holds its time.
 * X3. Nobody waits for a receiver: deliveries run beside everything else.
 */
import { createHash } from 'node:crypto';
import { type EntryHead, HandoverError, presentOperation, StreamKind } from '@handover/core';
import type { Cursor, Engine, FeedItem } from '@handover/engine';
import { keepGoing } from '../keep-going.js';
import { Deliverer, type DelivererOptions } from './deliverer.js';
import { eventsOf, isNews } from './handoff-events.js';
import { isOperationNews, operationEvents } from './operation-events.js';
import { Outbox } from './outbox.js';
import { isSessionNews, sessionEvent } from './session-events.js';
import type { DeadLetter, Delivery, WebhookEndpoint, WebhookEvent } from './types.js';

export interface WebhooksOptions extends Omit<DelivererOptions, 'endpoints'> {
  readonly engine: Engine;
  readonly endpoints: readonly WebhookEndpoint[];
  /** Where the bookmark is kept; absent: nowhere. */
  readonly folder?: string;
}

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #endpoints: ReadonlyMap<string, WebhookEndpoint>;
  readonly #stop = new AbortController();
  #outbox: Outbox | undefined;
  #deliverer: Deliverer | undefined;
  #following: Promise<void> | undefined;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#endpoints = new Map(options.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  }

  get pending(): number {
    return this.#outbox?.pending.size ?? 0;
  }

  /** Since what the oldest waiting delivery tells of; 0: none waits. */
  get oldestMs(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { event } of this.#outbox?.pending ?? []) oldest = Math.min(oldest, event.at);
    return Number.isFinite(oldest) ? Math.max(0, this.#options.now() - oldest) : 0;
  }

  get dead(): readonly DeadLetter[] {
    return this.#outbox?.dead ?? [];
  }

  /** Begins where it stopped; without a bookmark with what happens from now on. */
  async start(): Promise<void> {
    const { engine, folder, log } = this.#options;
    const outbox = new Outbox(folder, await engine.position(), log);
    this.#outbox = outbox;
    // Drops deliveries to addresses that the operator has removed.
    for (const delivery of outbox.pending)
      if (!this.#endpoints.has(delivery.endpointId)) {
        outbox.settle(delivery);
        this.#options.count?.('dropped');
      }
    if (this.#endpoints.size === 0) return outbox.retire();
    outbox.begin(await this.#whereToBegin(outbox.cursor));
    const deliverer = new Deliverer(
      outbox,
      { ...this.#options, endpoints: this.#endpoints },
      this.#stop.signal,
    );
    this.#deliverer = deliverer;
    this.#following = this.#follow(outbox, deliverer);
    deliverer.pump();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#following;
    await this.#deliverer?.finish();
    this.#outbox?.close();
  }

  /**
   * A bookmark past the end or of another store belongs to another log. Delivery then begins with what happens from now
   * on.
   */
  async #whereToBegin(bookmark: Cursor): Promise<Cursor> {
    const { engine, log } = this.#options;
    const found = await engine.locate(bookmark);
    if (found) return found.at;
    log.error('webhooks.bookmark_lost', { cursor: bookmark });
    return engine.position();
  }

  #follow(outbox: Outbox, deliverer: Deliverer): Promise<void> {
    const { log } = this.#options;
    return keepGoing(
      () => this.#read(outbox, deliverer),
      this.#stop.signal,
      (error, pauseMs) => log.error('webhooks.interrupted', { error, pauseMs }),
    );
  }

  /** Reads the feed from where the outbox is. */
  async #read(outbox: Outbox, deliverer: Deliverer): Promise<void> {
    const { signal } = this.#stop;
    const follower = this.#options.engine.follow(outbox.cursor);
    const close = () => follower.close();
    signal.addEventListener('abort', close);
    try {
      for (;;) {
        while (outbox.isFull && !signal.aborted) await deliverer.roomMade();
        const items = await follower.next();
        const deliveries = items && (await this.#deliveriesOf(items));
        // What came while closing may be incomplete: it is read again at the next start.
        if (!deliveries || signal.aborted) return;
        outbox.advance(items.at(-1)?.at ?? outbox.cursor, deliveries);
        if (deliveries.length === 0) continue;
        this.#options.count?.('queued', deliveries.length);
        deliverer.pump();
      }
    } finally {
      signal.removeEventListener('abort', close);
      follower.close();
    }
  }

  async #deliveriesOf(items: readonly FeedItem[]): Promise<readonly Delivery[]> {
    const { engine, log, now } = this.#options;
    const deliveries: Delivery[] = [];
    for (const { entry } of items.filter((item) => isAnyNews(item.entry)))
      try {
        for (const event of await newsOf(engine, entry))
          for (const { id, events, tenant } of this.#endpoints.values())
            if (events.has(event.type) && tenant === event.tenant)
              deliveries.push({ event, endpointId: id, attempts: 0, nextAt: now() });
      } catch (error) {
        // A store that is busy is read again later. One stream that cannot be read must not stop the events of the others.
        if (HandoverError.from(error).next === 'retryable') throw error;
        if (!this.#stop.signal.aborted)
          log.error('webhooks.session_unreadable', { session: entry.stream.id, error });
      }
    return deliveries;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const isAnyNews = (entry: EntryHead): boolean =>
  isNews(entry) || isSessionNews(entry) || isOperationNews(entry);

async function newsOf(engine: Engine, entry: EntryHead): Promise<readonly WebhookEvent[]> {
  const { stream } = entry;
  if (stream.kind === StreamKind.Operation) {
    const operation = (await engine.query(stream))?.state;
    return operation ? operationEvents(entry, presentOperation(operation), sha256) : [];
  }
  if (isSessionNews(entry)) return [sessionEvent(entry, sha256)];
  if (stream.kind !== StreamKind.Session) return [];
  const session = (await engine.query(stream))?.state;
  return session ? eventsOf(entry, session, sha256) : [];
}

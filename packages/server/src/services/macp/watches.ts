/**
 * What gRPC watches can follow: sessions, and changes of the registries. All of them share one follower of the log
 * (services/listening/log-watch.ts).
 *
 * A watch of sessions begins with one CREATED for each existing session. A session's CREATED is sent exactly once: the
 * list has those created up to a place in the log, the mailbox those after it.
 */
import { type JsonObject, type PolicyDescriptor, type StreamRef, summaryToMetadata } from '@handover/core';
import type { Cursor, ListedStream } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { ServiceDependencies } from '../dependencies.js';
import type { Listener } from '../listening/listener.js';
import { LogWatch } from '../listening/log-watch.js';
import type { OpenedMailbox } from '../listening/open-mailbox.js';
import { modesRef, policiesRef } from '../stream-refs.js';
import type { Registries } from './registries.js';
import { RegistryWatch } from './registry-watch.js';
import { LifecycleEvent, type SessionLifecycle, SessionWatch } from './session-watch.js';
import { visibleTo } from './sessions.js';

const PAGE = fixedLimits.watchedSessionsPage.value;
const READ_BYTES = fixedLimits.listenerReadBytes.value;

export class Watches {
  readonly #deps: ServiceDependencies;
  readonly #lists: Pick<Registries, 'allPolicies'>;
  readonly #log: LogWatch;
  readonly #sessions: SessionWatch;
  readonly #registries: RegistryWatch;

  constructor(deps: ServiceDependencies, lists: Pick<Registries, 'allPolicies'>) {
    const { engine, mailroom, now } = deps;
    this.#deps = deps;
    this.#lists = lists;
    this.#sessions = new SessionWatch(engine, mailroom, now);
    this.#registries = new RegistryWatch(mailroom);
    this.#log = new LogWatch(engine, [this.#sessions, this.#registries]);
  }

  async *sessions(
    principal: Principal,
    listener: Listener,
    signal: AbortSignal,
  ): AsyncGenerator<SessionLifecycle> {
    yield* this.#watch(
      () => this.#sessions.open(principal, listener),
      (from) => this.#existing(principal, listener, from, signal),
      signal,
    );
  }

  /** The whole list now, and again after changes; several that were not taken yet are told by one list. */
  async *policies(
    { tenant }: Principal,
    listener: Listener,
    signal: AbortSignal,
  ): AsyncGenerator<readonly PolicyDescriptor[]> {
    const registry = policiesRef(tenant, this.#deps.policiesFromFiles);
    let told: readonly PolicyDescriptor[] | undefined;
    for await (const _ of this.#changes(registry, listener, signal)) {
      const list = await this.#lists.allPolicies(tenant);
      if (list !== told) yield list;
      told = list;
    }
  }

  /** Yields once now, and again after each change of the mode registry. */
  modes({ tenant }: Principal, listener: Listener, signal: AbortSignal): AsyncGenerator<undefined> {
    return this.#changes(modesRef(tenant), listener, signal);
  }

  async *#changes(registry: StreamRef, listener: Listener, signal: AbortSignal): AsyncGenerator<undefined> {
    yield* this.#watch(
      () => this.#registries.open(registry, listener),
      async function* () {
        yield undefined;
      },
      signal,
    );
  }

  async *#watch<T>(
    open: () => OpenedMailbox<T>,
    first: (from: Cursor) => AsyncGenerator<T>,
    signal: AbortSignal,
  ): AsyncGenerator<T> {
    const following = await this.#log.enter();
    // In one turn: see W2 of log-watch.ts.
    const { box, leave } = open();
    const from = following.at();
    if (signal.aborted) box.close();
    signal.addEventListener('abort', () => box.close(), { once: true });
    try {
      yield* first(from);
      yield* box.items();
    } finally {
      leave();
      following.leave();
    }
  }

  async *#existing(
    principal: Principal,
    listener: Listener,
    createdUpTo: Cursor,
    signal: AbortSignal,
  ): AsyncGenerator<SessionLifecycle> {
    let afterId: string | undefined;
    while (!signal.aborted) {
      const query = {
        ...visibleTo(principal),
        createdUpTo,
        limit: PAGE,
        ...(afterId !== undefined && { afterId }),
      };
      const rows = await held(listener, () => this.#deps.engine.list(query));
      for (const { ref, row } of rows) {
        yield created(ref.id, row.summary);
        listener.release(row.summary.length);
      }
      if (rows.length < PAGE) return;
      afterId = rows.at(-1)?.ref.id;
    }
  }
}

/** Reads rows when there is room for them, and counts their bytes as waiting. */
async function held<Rows extends readonly ListedStream[]>(
  listener: Listener,
  read: () => Promise<Rows>,
): Promise<Rows> {
  await listener.acquire(READ_BYTES);
  try {
    const rows = await read();
    for (const { row } of rows) listener.hold(row.summary.length);
    return rows;
  } finally {
    listener.release(READ_BYTES);
  }
}

/** Core wrote the summary, so it parses to an object. */
function created(id: string, summary: string): SessionLifecycle {
  const session = summaryToMetadata(id, JSON.parse(summary) as JsonObject);
  return { event: LifecycleEvent.Created, session, observedAtUnixMs: session.startedAtUnixMs };
}

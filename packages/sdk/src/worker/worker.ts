/**
 * One process that serves all offers to an agent.
 *
 * W1. Offers that were open before it started, and those that come, have their turn in the order in which they are found.
 *     Sessions that have ended are neither read nor followed.
 * W2. Each offer is answered once, however often the process is started again; see turn.ts.
 * W3. At most `concurrency` decisions at a time. An offer that waits costs its ids.
 * W4. A decision that fails has another turn after a wait that doubles, until the offer is over.
 * W5. It ends quietly: what runs may end, nothing new begins, and nothing is left behind.
 */
import { setMaxListeners } from 'node:events';
import { MAX_TIMER_MS } from '../arguments.js';
import type { SessionMetadata } from '../client/types.js';
import { MacpClosedError, MacpSdkError } from '../errors.js';
import { log } from '../logging.js';
import { Line } from '../transport/line.js';
import { Bell } from './bell.js';
import type { WorkerFailure, WorkerStats } from './decision.js';
import { Gate } from './gate.js';
import { isLive, mayHaveOffers } from './open-sessions.js';
import { type HandoffWorkerOptions, settingsOf } from './options.js';
import { Scout, type ScoutHost } from './scout.js';
import { type FeedHost, feedSessions } from './session-feed.js';
import { Tracked } from './tracked.js';
import { type TurnEnd, type TurnHost, takeTurn } from './turn.js';

/** Serves all offers to an agent, old and new: waits for their context, asks `decide`, and answers each once. */
export class HandoffWorker {
  readonly #options: HandoffWorkerOptions;
  readonly #host: FeedHost & ScoutHost & TurnHost;
  readonly #scout: Scout;
  readonly #settings: ReturnType<typeof settingsOf>;
  readonly #sessions = new Map<string, Tracked>();
  readonly #queue = new Set<Tracked>();
  readonly #bell = new Bell();
  readonly #stop = new AbortController();
  readonly #counts = { deciding: 0, decisions: 0, accepted: 0, declined: 0, failures: 0 };
  #running: Promise<void> | undefined;
  #broken: { readonly error: unknown } | undefined;
  #wasListed = false;
  #isOver = false;

  /** Checks its options; connects when `run` is called. */
  constructor(options: HandoffWorkerOptions) {
    const settings = settingsOf(options);
    // Each of its loops listens.
    setMaxListeners(0, this.#stop.signal);
    this.#options = options;
    this.#settings = settings;
    this.#host = {
      ...settings,
      gate: new Gate(),
      line: new Line(),
      stopping: this.#stop.signal,
      begins: () => void this.#counts.decisions++,
      known: () => [...this.#sessions.keys()],
      noted: (session, isNew) => this.#note(session, isNew),
      ended: (sessionId) => this.#ended(sessionId),
      listed: () => this.#listed(),
      offered: (session, handoffId) => this.#offered(session, handoffId),
      settled: (session) => this.#done(session),
      broken: (error) => this.#break(error),
    };
    this.#scout = new Scout(this.#host, settings.streams);
  }

  /** Serves until `stop` is called, the signal fires or the client is closed. Rejects when the runtime refuses the agent. */
  async run({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#running) throw new MacpSdkError('a worker runs once: make a new one');
    const { client, journal } = this.#host;
    journal.open();
    const stop = () => this.#stop.abort();
    const signals = [signal, client.closed].filter((one) => one !== undefined);
    for (const one of signals) {
      if (one.aborted) stop();
      one.addEventListener('abort', stop, { once: true });
    }
    this.#running = this.#serve();
    try {
      await this.#running;
    } finally {
      this.#isOver = true;
      for (const one of signals) one.removeEventListener('abort', stop);
      for (const { timer } of this.#sessions.values()) clearTimeout(timer);
      journal.close();
    }
    if (this.#broken) throw this.#broken.error;
  }

  /** Begins nothing new, lets the decisions that run end, and resolves when `run` is over; not to be awaited by a decision. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => undefined);
  }

  /** What it is at, and what it has done. */
  stats(): WorkerStats {
    const { size: sessions } = this.#sessions;
    return { sessions, followed: this.#scout.followed, waiting: this.#queue.size, ...this.#counts };
  }

  /** Stops the worker at the end of the block that began with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #serve(): Promise<void> {
    const turns = Array.from({ length: this.#settings.concurrency }, () => this.#takeTurns());
    const loops = [feedSessions(this.#host), this.#scout.run(), ...turns];
    const ended = Promise.all(loops.map((loop) => loop.catch((error: unknown) => this.#break(error))));
    await Promise.race([ended, this.#drained()]);
  }

  /** Resolves when the time is over that decisions have after `stop`. What still runs then counts no more. */
  async #drained(): Promise<void> {
    while (!this.#stop.signal.aborted) await this.#bell.wait(this.#stop.signal);
    const idle = new AbortController();
    const until = performance.now() + this.#settings.drainMs;
    while (this.#counts.deciding > 0 && performance.now() < until)
      await this.#bell.wait(idle.signal, until - performance.now());
    for (const { over } of this.#sessions.values()) over.abort();
  }

  #note(session: SessionMetadata, isNew: boolean): void {
    if (!isLive(session)) this.#ended(session.sessionId);
    const known = this.#sessions.get(session.sessionId);
    if (known) known.expiresAtUnixMs = session.expiresAtUnixMs;
    else if (isLive(session) && mayHaveOffers(session, this.#host.agent)) {
      const tracked = new Tracked(session);
      this.#sessions.set(session.sessionId, tracked);
      this.#scout.take(tracked, isNew);
    }
  }

  /** The journal may know of offers that ended while no worker ran. */
  #listed(): void {
    if (!this.#wasListed) this.#host.journal.keepOnly((sessionId) => this.#sessions.has(sessionId));
    this.#wasListed = true;
  }

  #offered(session: Tracked, handoffId: string): void {
    session.handoffId = handoffId;
    session.seenAt = performance.now();
    this.#enqueue(session);
  }

  #enqueue(session: Tracked): void {
    session.place = 'queued';
    this.#queue.add(session);
    this.#bell.ring();
  }

  /** Nothing is left to do in it; it is remembered, so that the next list does not bring it again. */
  #done(session: Tracked): void {
    session.place = 'done';
    const { sessionId, handoffId } = session;
    if (handoffId !== '') this.#host.journal.end({ sessionId, handoffId });
  }

  #ended(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    this.#sessions.delete(sessionId);
    this.#queue.delete(session);
    clearTimeout(session.timer);
    // Whoever has the turn says itself that it is over.
    if (session.place !== 'deciding') this.#done(session);
    this.#scout.drop(session);
    session.over.abort();
  }

  async #takeTurns(): Promise<void> {
    const { stopping } = this.#host;
    while (!stopping.aborted) {
      const [session] = this.#queue;
      if (!session) {
        await this.#bell.wait(stopping);
        continue;
      }
      this.#queue.delete(session);
      session.place = 'deciding';
      session.over = new AbortController();
      this.#counts.deciding++;
      const end = await takeTurn(this.#host, session).catch((error: unknown) => {
        return { kind: 'failed', error, attempt: 0 } as const;
      });
      // The time after `stop` is over: this counts no more, and the journal is closed.
      if (this.#isOver) return;
      try {
        await this.#after(session, end);
      } finally {
        this.#counts.deciding--;
        this.#bell.ring();
      }
    }
  }

  async #after(session: Tracked, end: TurnEnd): Promise<void> {
    switch (end.kind) {
      case 'answered':
        this.#counts[end.answer.accept ? 'accepted' : 'declined']++;
        this.#done(session);
        return this.#tell('onAnswered', this.#options.onAnswered, end.answer);
      case 'over':
        return this.#done(session);
      case 'left':
        session.leftAt = end.seen;
        return this.#again(session);
      case 'later':
        return this.#again(session);
      case 'failed':
        return this.#failed(session, end.error, end.attempt);
      case 'exhausted':
        session.place = 'done';
        return this.#report(
          session,
          new MacpSdkError('as many attempts as maxAttempts allows have failed'),
          end.attempt,
        );
    }
  }

  #again(session: Tracked): void {
    if (this.#sessions.has(session.sessionId)) this.#scout.take(session, false);
  }

  async #failed(session: Tracked, error: unknown, attempt: number): Promise<void> {
    if (error instanceof MacpClosedError) return;
    this.#counts.failures++;
    // What fails before a decision begins is no attempt, and waits longer each time all the same.
    const failures = Math.max(attempt, ++session.failures);
    const { baseMs, maxMs, maxAttempts } = this.#settings;
    const full = Math.min(baseMs * 2 ** (failures - 1), maxMs, MAX_TIMER_MS);
    const last = attempt >= maxAttempts;
    const retryInMs = last ? undefined : Math.round(full * (0.75 + Math.random() / 4));
    session.place = last ? 'done' : 'resting';
    if (retryInMs !== undefined && this.#sessions.has(session.sessionId))
      session.timer = setTimeout(() => this.#enqueue(session), retryInMs);
    await this.#report(session, error, attempt, retryInMs);
  }

  #report({ sessionId, handoffId }: Tracked, error: unknown, attempt: number, retryInMs?: number) {
    const failure = { error, sessionId, handoffId, attempt, retryInMs };
    return this.#tell('onError', this.#options.onError ?? logFailure, failure);
  }

  /** One who listens and fails does not end the worker. */
  async #tell<T>(name: string, listener: ((news: T) => unknown) | undefined, news: T): Promise<void> {
    try {
      await listener?.(news);
    } catch (error) {
      log.error(`worker: ${name} failed: ${String(error)}`);
    }
  }

  #break(error: unknown): void {
    if (error instanceof MacpClosedError) return;
    this.#broken ??= { error };
    this.#stop.abort();
  }
}

function logFailure({ error, sessionId, handoffId, attempt, retryInMs }: WorkerFailure): void {
  const next = retryInMs === undefined ? 'left to others' : `again in ${retryInMs} ms`;
  log.error(
    `worker: attempt ${attempt} on handoff ${handoffId} of session ${sessionId} failed, ${next}: ${String(error)}`,
  );
}

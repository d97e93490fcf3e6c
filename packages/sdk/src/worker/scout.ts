/**
 * Looks for offers in open sessions that have none for the agent yet. The newest are followed by streams, of which a
 * runtime allows only so many to one identity; the others are looked at in turn.
 *
 * T1. At most `streams` sessions are followed. A new one takes the place of the one that was followed longest; when the
 *     runtime allows fewer, there are fewer for a minute.
 * T2. A session that is not followed is looked at after 100 ms, 200 ms and so on, for offers come soon after the start, and
 *     then every 5 seconds, or less often where there are many: all of them cost 20 looks a second.
 * T3. What was lost with a connection is looked at again; nothing depends on a stream that stays, or on an answer that comes.
 * T4. A session costs ids and counts, and is read once: a look goes on where the last one ended.
 */
import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { MacpClosedError, MacpTimeoutError, MacpTransportError } from '../errors.js';
import { readWithin } from '../stream/read-within.js';
import { Bell } from './bell.js';
import { type Gate, mayPassLater } from './gate.js';
import { isGone } from './open-sessions.js';
import type { Tracked } from './tracked.js';

/** What the scout reports, and to whom. */
export interface ScoutHost {
  readonly client: MacpClient;
  readonly agent: string;
  readonly auth: AuthConfig | undefined;
  readonly gate: Gate;
  /** Fires when nothing more is to be found. */
  readonly stopping: AbortSignal;
  offered(session: Tracked, handoffId: string): void;
  settled(session: Tracked): void;
  ended(sessionId: string): void;
  /** An error that concerns more than one session. */
  broken(error: unknown): void;
}

const LOOKERS = 4;
const FIRST_LOOK_MS = 100;
const OFTEN_MS = 5_000;
const PACE_MS = 50;
const FEWER_FOR_MS = 60_000;

export class Scout {
  readonly #host: ScoutHost;
  readonly #streams: number;
  readonly #due = new Map<Tracked, number>();
  readonly #followed = new Map<Tracked, AbortController>();
  readonly #bell = new Bell();
  #fewer = { than: Number.POSITIVE_INFINITY, until: 0 };

  constructor(host: ScoutHost, streams: number) {
    this.#host = host;
    this.#streams = streams;
  }

  get followed(): number {
    return this.#followed.size;
  }

  /** Takes a session on; one that has just been made gets a stream. */
  take(session: Tracked, isNew: boolean): void {
    session.place = 'scouted';
    session.looks = 0;
    if (isNew && this.#makeRoom()) this.#follow(session);
    else this.#lookAt(session, 0);
  }

  drop(session: Tracked): void {
    this.#due.delete(session);
    this.#unfollow(session);
  }

  /** Looks until the worker stops. */
  async run(): Promise<void> {
    const { stopping } = this.#host;
    await Promise.all(Array.from({ length: LOOKERS }, () => this.#lookOn(stopping)));
    for (const stop of this.#followed.values()) stop.abort();
  }

  async #lookOn(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#host.gate.pass(stopping);
      const [session, due] = this.#next();
      const wait = due - performance.now();
      if (session && wait <= 0) await this.#look(session);
      else await this.#bell.wait(stopping, session && wait);
    }
  }

  #next(): readonly [Tracked | undefined, number] {
    let next: Tracked | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [session, due] of this.#due) {
      if (due < earliest) [next, earliest] = [session, due];
      if (due === 0) break;
    }
    return [next, earliest];
  }

  async #look(session: Tracked): Promise<void> {
    this.#due.delete(session);
    const { client, auth, gate, stopping: signal } = this.#host;
    const { sighting, sessionId } = session;
    try {
      const from = { auth, signal, afterSequence: sighting.sequence };
      await readWithin(client, sessionId, from, (item) => sighting.take(item));
      gate.passed();
    } catch (error) {
      this.#failed(session, error);
      // Not at once where there was no answer: the others would wait for it.
      return error instanceof MacpTimeoutError ? this.#later(session) : this.#lookAt(session, 0);
    }
    if (!this.#isOurs(session) || this.#judge(session)) return;
    if (this.#hasRoom()) this.#follow(session);
    else this.#later(session);
  }

  #follow(session: Tracked): void {
    const stop = new AbortController();
    this.#followed.set(session, stop);
    void this.#read(session, stop.signal).finally(() => {
      if (this.#followed.get(session) === stop) this.#followed.delete(session);
      this.#later(session);
    });
  }

  async #read(session: Tracked, signal: AbortSignal): Promise<void> {
    const { client, auth } = this.#host;
    const { sighting, sessionId } = session;
    const from = { auth, signal, afterSequence: sighting.sequence, reconnect: { maxAttempts: 0 } };
    try {
      for await (const item of client.subscribe(sessionId, from)) {
        sighting.take(item);
        if (this.#judge(session)) return;
      }
    } catch (error) {
      if (error instanceof MacpTransportError && error.code === 'RESOURCE_EXHAUSTED')
        this.#fewer = { than: this.#followed.size, until: performance.now() + FEWER_FOR_MS };
      else this.#failed(session, error);
    }
  }

  /** True when there is nothing more to look for: an offer was found, or none can come. */
  #judge(session: Tracked): boolean {
    if (!this.#isOurs(session)) return true;
    const { agent } = this.#host;
    const { sighting } = session;
    const offer = sighting.waitingFor(agent);
    if (offer && !sighting.isSuspended && offer.contexts > session.leftAt)
      this.#host.offered(session, offer.handoffId);
    else if (!offer && sighting.isSettledFor(agent)) this.#host.settled(session);
    return !this.#isOurs(session);
  }

  #failed(session: Tracked, error: unknown): void {
    if (error instanceof MacpClosedError || !this.#isOurs(session)) return;
    if (isGone(error)) this.#host.ended(session.sessionId);
    else if (mayPassLater(error)) this.#host.gate.failed(error);
    else this.#host.broken(error);
  }

  #later(session: Tracked): void {
    const most = Math.max(OFTEN_MS, this.#due.size * PACE_MS);
    this.#lookAt(session, performance.now() + Math.min(FIRST_LOOK_MS * 2 ** session.looks++, most));
  }

  #lookAt(session: Tracked, due: number): void {
    if (!this.#isOurs(session) || this.#host.stopping.aborted) return;
    this.#due.set(session, due);
    this.#bell.ring();
  }

  #makeRoom(): boolean {
    const [longest] = this.#followed.keys();
    if (longest && !this.#hasRoom()) this.#unfollow(longest);
    return this.#hasRoom();
  }

  #unfollow(session: Tracked): void {
    this.#followed.get(session)?.abort();
    this.#followed.delete(session);
  }

  #hasRoom(): boolean {
    return this.#followed.size < this.#room();
  }

  #room(): number {
    const isFewer = performance.now() < this.#fewer.until;
    return isFewer ? Math.min(this.#streams, this.#fewer.than - 1) : this.#streams;
  }

  #isOurs({ place }: Tracked): boolean {
    return place === 'scouted';
  }
}

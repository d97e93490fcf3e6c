/**
 * Joining a server elsewhere. One that does not answer is asked again, with longer and longer waits, for half a minute.
 *
 * J1. The token is read again each time, so that a new one needs no restart.
 * J2. What waiting does not mend (the token, the address, the certificate) ends the command at its start. Later the open
 *     requests are answered with it, and the pipe stays.
 * J3. A channel that lived only for a moment counts as a failure, so that nobody is asked without a pause.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Away, type Channel } from '../pipe/channel.js';
import { backOffMs } from './back-off.js';
import { HttpChannel } from './http-channel.js';
import { lookForServer } from './look-for-server.js';
import { type Headers, Requests } from './requests.js';
import type { ServerAddress } from './server-address.js';

export interface RemoteOptions {
  readonly address: ServerAddress;
  /** Read at each join; throws a sentence for the user when there is none. */
  readonly bearer: () => string;
  /** What a user whose token is refused should know. */
  readonly tokenRefused: string;
  /** What else goes with every request; asked for at each join. */
  readonly headers: () => Headers;
  readonly clock?: RemoteClock;
}

/** Time and chance, for tests. */
export interface RemoteClock {
  now(): number;
  pause(ms: number, signal?: AbortSignal): Promise<unknown>;
  random(): number;
}

const GIVE_UP_MS = 30_000;
const STEADY_MS = 5_000;
const CLOCK: RemoteClock = {
  now: () => performance.now(),
  pause: (ms, signal) => pause(ms, undefined, signal && { signal }),
  random: Math.random,
};

export class RemoteJoin {
  readonly #options: RemoteOptions;
  readonly #clock: RemoteClock;
  #failed = 0;
  /** It was there once: what comes now is no longer the start. */
  #joined = false;
  /** When the last channel began; none after the pipe has given up. */
  #since: number | undefined;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#clock = options.clock ?? CLOCK;
  }

  async join(): Promise<Channel> {
    const began = this.#clock.now();
    const short = this.#since !== undefined && began - this.#since < STEADY_MS;
    this.#failed = short ? this.#failed + 1 : 0;
    this.#since = undefined;
    const { address } = this.#options;
    for (;;) {
      if (this.#failed > 0) await this.#wait(began);
      const channel = await this.#try();
      if (channel) return channel;
      this.#failed += 1;
      if (this.#clock.now() - began >= GIVE_UP_MS) throw new Away(`${address.shown} does not answer`);
    }
  }

  async #try(): Promise<Channel | undefined> {
    const { address, headers, tokenRefused } = this.#options;
    const authorization = `Bearer ${this.#bearer()}`;
    const requests = new Requests(address.mcp, { ...headers(), authorization });
    const found = await lookForServer(requests, address, tokenRefused);
    if (found.kind === 'there') {
      this.#joined = true;
      this.#since = this.#clock.now();
      return new HttpChannel({ ...this.#clock, requests, shown: address.shown });
    }
    requests.close();
    if (found.kind === 'refused') throw this.#lasting(found.why);
    return undefined;
  }

  /** No wait goes beyond the half minute: then it is asked a last time. */
  async #wait(began: number): Promise<void> {
    const left = Math.max(0, GIVE_UP_MS - (this.#clock.now() - began));
    await this.#clock.pause(Math.min(left, backOffMs(this.#failed, this.#clock.random())));
  }

  #bearer(): string {
    try {
      return this.#options.bearer();
    } catch (thrown) {
      throw thrown instanceof Error ? this.#lasting(thrown) : thrown;
    }
  }

  #lasting(why: Error): Error {
    return this.#joined ? new Away(why.message) : why;
  }
}

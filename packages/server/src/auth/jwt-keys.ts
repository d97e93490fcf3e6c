/**
 * Where the keys come from: given inline, or fetched and cached.
 *
 * K1. One fetch at a time; everybody who needs it waits for the same one.
 * K2. Fresh keys (younger than the TTL) are served without asking. Past the TTL a fetch is tried; if it fails, the old
 *     keys are served until `staleGraceMs` past the TTL, and then nobody is let in.
 * K3. After a failed fetch the next is tried only after a pause, so that a dead issuer costs nobody a time-out each.
 * K4. A token with an unknown key id may ask for a refresh (the issuer rotated), at most once per pause: forged ids
 *     cannot be turned into traffic against the issuer.
 */
import type { JwtKey } from './jwks.js';

export interface JwtKeys {
  /** Throws when no keys can be had. */
  current(): Promise<readonly JwtKey[]>;
  /** Keys after an attempt to learn newer ones, if one is allowed now; else the same as `current`. */
  afterRotation(): Promise<readonly JwtKey[]>;
}

export interface FetchedKeysOptions {
  readonly fetchKeys: () => Promise<readonly JwtKey[]>;
  /** Milliseconds, never backwards. */
  readonly now: () => number;
  readonly ttlMs: number;
  readonly staleGraceMs: number;
  readonly retryPauseMs: number;
  readonly rotationPauseMs: number;
  readonly onFailure?: (cause: unknown) => void;
}

export function inlineKeys(keys: readonly JwtKey[]): JwtKeys {
  return { current: async () => keys, afterRotation: async () => keys };
}

export function fetchedKeys(options: FetchedKeysOptions): JwtKeys {
  return new FetchedKeys(options);
}

class FetchedKeys implements JwtKeys {
  readonly #options: FetchedKeysOptions;
  #keys: readonly JwtKey[] | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(options: FetchedKeysOptions) {
    this.#options = options;
  }

  async current(): Promise<readonly JwtKey[]> {
    const { now, ttlMs, retryPauseMs } = this.#options;
    if (now() - this.#fetchedAt < ttlMs) return this.#usable();
    const lastFailed = this.#triedAt > this.#fetchedAt;
    if (this.#fetching !== undefined || !lastFailed || now() - this.#triedAt >= retryPauseMs)
      await this.#refresh();
    return this.#usable();
  }

  async afterRotation(): Promise<readonly JwtKey[]> {
    const { now, rotationPauseMs } = this.#options;
    if (this.#fetching !== undefined || now() - this.#triedAt >= rotationPauseMs) await this.#refresh();
    return this.#usable();
  }

  #usable(): readonly JwtKey[] {
    const { now, ttlMs, staleGraceMs } = this.#options;
    if (this.#keys !== undefined && now() - this.#fetchedAt < ttlMs + staleGraceMs) return this.#keys;
    throw new Error('no signing keys are available');
  }

  #refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const { fetchKeys, now, onFailure } = this.#options;
    // The age of keys counts from the request, not from the answer.
    const asked = now();
    this.#triedAt = asked;
    try {
      this.#keys = await fetchKeys();
      this.#fetchedAt = asked;
    } catch (cause) {
      onFailure?.(cause);
    }
  }
}

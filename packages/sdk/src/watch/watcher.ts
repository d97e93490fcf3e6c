/** What all watchers share: an iteration that survives the loss of the connection. */
import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import type { WatchOptions } from '../client/watches.js';
import { MacpTransportError } from '../errors.js';
import type { ReconnectPolicy } from '../transport/backoff.js';
import { either } from '../transport/either.js';
import { reconnecting } from '../transport/reconnecting.js';

/** How a watcher connects. */
export interface WatcherOptions {
  /** The credential, in place of the client's. */
  readonly auth?: AuthConfig | undefined;
  /** How to come back after a lost connection. */
  readonly reconnect?: ReconnectPolicy | undefined;
}

export abstract class Watcher<T> {
  readonly #client: MacpClient;
  readonly #options: WatcherOptions;

  /** Connects when the iteration begins. */
  constructor(client: MacpClient, options: WatcherOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /** One connection's worth of values. */
  protected abstract connect(client: MacpClient, options: WatchOptions): AsyncGenerator<T>;

  protected iterate(signal: AbortSignal | undefined): AsyncGenerator<T, void, void> {
    const { auth, reconnect } = this.#options;
    const ending = either(this.#client.closed, signal);
    const connect = () => this.connect(this.#client, { auth, signal: ending });
    return reconnecting(connect, this.constructor.name, reconnect, ending);
  }
}

export async function forEach<T>(
  values: AsyncIterable<T>,
  handler: (value: T) => void | Promise<void>,
): Promise<void> {
  for await (const value of values) await handler(value);
}

export async function first<T>(values: AsyncGenerator<T>): Promise<T> {
  for await (const value of values) return value;
  throw new MacpTransportError('CANCELLED: aborted before anything came', 'CANCELLED');
}

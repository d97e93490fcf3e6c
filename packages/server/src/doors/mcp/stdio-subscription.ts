/**
 * The subscription of one connection that speaks line by line. It begins when something is first followed, and is one
 * listener, whatever it follows. Changes are written only while the client reads.
 */
import type { Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import type { Principal } from '../../auth/principal.js';
import type { Listener } from '../../services/listening/listener.js';
import type { Outcome } from '../../services/outcome.js';
import { Notices } from './changes/notices.js';
import type { Change } from './changes/subscriber.js';
import type { Subscription } from './changes/subscriptions.js';
import type { McpDependencies } from './dependencies.js';
import { sendChange } from './send-change.js';

export class StdioSubscription {
  readonly #deps: McpDependencies;
  readonly #caller: () => Principal;
  readonly #output: Writable;
  readonly #notices: Notices;
  readonly #flush = () => this.#notices.flush();
  readonly #followed = new Set<string>();
  #opened: { readonly subscription: Subscription; readonly listener: Listener } | undefined;
  #closed = false;

  constructor(
    deps: McpDependencies,
    caller: () => Principal,
    output: Writable,
    server: () => Server | undefined,
  ) {
    this.#deps = deps;
    this.#caller = caller;
    this.#output = output;
    this.#notices = new Notices({
      takesOne: () => !output.writableNeedDrain && !output.destroyed,
      deliver: (change) => {
        sendChange(server(), change);
        // The SDK writes in a later turn, and only then it shows whether the client takes another one.
        setImmediate(this.#flush);
      },
    });
  }

  /** The rejection says that the caller has too many listeners. */
  readonly open = (): Outcome<Subscription> => {
    if (!this.#opened) {
      const { listeners, subscriptions } = this.#deps;
      const principal = this.#caller();
      const admitted = listeners.admit(principal, () => void this.#output.destroy());
      if ('rejection' in admitted) return admitted;
      const send = (change: Change) => this.#notices.push(change);
      const subscription = subscriptions.open({ principal, lists: true, send });
      this.#opened = { subscription, listener: admitted.value };
      this.#output.on('drain', this.#flush);
      if (this.#closed) this.close();
    }
    return { value: this.#handle };
  };

  /** The connection has another name: it goes on with what it may follow under that one. */
  renamed(): void {
    if (!this.#opened || this.#closed) return;
    this.#leave();
    const opened = this.open();
    if ('rejection' in opened) return;
    for (const uri of this.#followed)
      opened.value
        .follow(uri)
        .catch(({ message }: Error) => this.#deps.log.debug('mcp.connection_error', { message }));
  }

  close(): void {
    this.#closed = true;
    this.#leave();
  }

  /** Stays the same when the connection is renamed. */
  readonly #handle: Subscription = {
    follow: async (uri) => {
      const result = (await this.#opened?.subscription.follow(uri)) ?? 'unseen';
      if (result === 'followed') this.#followed.add(uri);
      else this.#followed.delete(uri);
      return result;
    },
    unfollow: (uri) => {
      this.#followed.delete(uri);
      this.#opened?.subscription.unfollow(uri);
    },
    close: () => this.close(),
  };

  #leave(): void {
    this.#output.off('drain', this.#flush);
    this.#opened?.subscription.close();
    this.#opened?.listener.leave();
    this.#opened = undefined;
  }
}

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
import type { Subscription } from './changes/subscriptions.js';
import type { McpDependencies } from './dependencies.js';
import { sendChange } from './send-change.js';

export class StdioSubscription {
  readonly #deps: McpDependencies;
  readonly #principal: Principal;
  readonly #output: Writable;
  readonly #notices: Notices;
  readonly #flush = () => this.#notices.flush();
  #opened: { readonly subscription: Subscription; readonly listener: Listener } | undefined;
  #closed = false;

  constructor(
    deps: McpDependencies,
    principal: Principal,
    output: Writable,
    server: () => Server | undefined,
  ) {
    this.#deps = deps;
    this.#principal = principal;
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
    if (this.#opened) return { value: this.#opened.subscription };
    const { listeners, subscriptions } = this.#deps;
    const admitted = listeners.admit(this.#principal, () => void this.#output.destroy());
    if ('rejection' in admitted) return admitted;
    const subscription = subscriptions.open({
      principal: this.#principal,
      lists: true,
      send: (change) => this.#notices.push(change),
    });
    this.#opened = { subscription, listener: admitted.value };
    this.#output.on('drain', this.#flush);
    if (this.#closed) this.close();
    return { value: subscription };
  };

  close(): void {
    this.#closed = true;
    this.#output.off('drain', this.#flush);
    this.#opened?.subscription.close();
    this.#opened?.listener.leave();
  }
}

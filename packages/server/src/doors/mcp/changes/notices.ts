/**
 * Changes that wait to be sent to one client. A client that is told of a change reads what is there now, so an address
 * waits at most once, however often it changes: what waits is bounded by what the client follows.
 */
import type { Change } from './subscriber.js';

export interface NoticesOptions {
  /** Whether the client takes one more now. One that is asked for and gets none may say no the next time. */
  takesOne(): boolean;
  deliver(change: Change): void;
}

const LISTED: Change = { kind: 'listed' };

export class Notices {
  readonly #options: NoticesOptions;
  readonly #uris = new Set<string>();
  #listed = false;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#uris.size + (this.#listed ? 1 : 0);
  }

  push(change: Change): void {
    if (change.kind === 'listed') this.#listed = true;
    else this.#uris.add(change.uri);
    this.flush();
  }

  /** Sends one, if the client takes it. To be called whenever the client has taken something. */
  flush(): void {
    if (this.waiting === 0 || !this.#options.takesOne()) return;
    this.#options.deliver(this.#next());
  }

  #next(): Change {
    const [uri] = this.#uris;
    if (uri === undefined) {
      this.#listed = false;
      return LISTED;
    }
    this.#uris.delete(uri);
    return { kind: 'updated', uri };
  }
}

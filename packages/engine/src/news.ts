/**
 * Listens to what other nodes store, as long as somebody holds it. Without other nodes there is nothing to listen to.
 */
import type { MovedStream, SharedStore } from './shared-store.js';

export class News {
  readonly #store: Pick<SharedStore, 'moved'> | undefined;
  readonly #told: (streams: readonly MovedStream[]) => void;
  #holders = 0;
  #end: (() => void) | undefined;

  constructor(
    store: Pick<SharedStore, 'moved'> | undefined,
    told: (streams: readonly MovedStream[]) => void,
  ) {
    this.#store = store;
    this.#told = told;
  }

  hold(): void {
    this.#holders++;
    this.#end ??= this.#store?.moved(this.#told);
  }

  release(): void {
    if (--this.#holders > 0) return;
    this.#end?.();
    this.#end = undefined;
  }
}

/**
 * Wraps a real store and adds faults on demand. `failNextAppend`: the next batch that would write is decided but not
 * stored, and the engine is told so. `holdNextCommit`: the next batch waits until it is released.
 */
import type {
  CommitInput,
  CommitOutcome,
  CommitRequest,
  SharedStore,
  Store,
  StreamAppend,
} from '@handover/engine';

type Decide = (input: CommitInput) => readonly StreamAppend[];

export interface Hold {
  /** Resolves when a batch has arrived and waits. */
  readonly reached: Promise<void>;
  release(): void;
}

export class FaultyStore implements Store {
  readonly name: string;
  readonly credentials: Store['credentials'];
  readonly receipts: Store['receipts'];
  readonly agents: Store['agents'];
  readonly shared?: SharedStore;
  readonly #inner: Store;
  #failNext = false;
  #hold: { readonly arrive: () => void; readonly released: Promise<void> } | undefined;

  constructor(inner: Store) {
    this.#inner = inner;
    this.name = inner.name;
    this.credentials = inner.credentials;
    this.receipts = inner.receipts;
    this.agents = inner.agents;
    if (inner.shared) this.shared = inner.shared;
  }

  failNextAppend(): void {
    this.#failNext = true;
  }

  holdNextCommit(): Hold {
    let arrive = () => {};
    let release = () => {};
    const reached = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#hold = { arrive, released };
    return { reached, release };
  }

  async commit(request: CommitRequest, decide: Decide): Promise<CommitOutcome> {
    const hold = this.#hold;
    if (hold) {
      this.#hold = undefined;
      hold.arrive();
      await hold.released;
    }
    let failed = false;
    const outcome = await this.#inner.commit(request, (input) => {
      const appends = decide(input);
      if (!this.#failNext || appends.length === 0) return appends;
      this.#failNext = false;
      failed = true;
      return [];
    });
    return failed ? { kind: 'notStored', reason: 'a fault that the test asked for' } : outcome;
  }

  heads: Store['heads'] = (...args) => this.#inner.heads(...args);
  load: Store['load'] = (...args) => this.#inner.load(...args);
  read: Store['read'] = (...args) => this.#inner.read(...args);
  list: Store['list'] = (...args) => this.#inner.list(...args);
  count: Store['count'] = (...args) => this.#inner.count(...args);
  feed: Store['feed'] = (...args) => this.#inner.feed(...args);
  position: Store['position'] = () => this.#inner.position();
  behind: Store['behind'] = (...args) => this.#inner.behind(...args);
  due: Store['due'] = (...args) => this.#inner.due(...args);
  usage: Store['usage'] = (...args) => this.#inner.usage(...args);
  close: Store['close'] = () => this.#inner.close();
}

/** One stream under its decider alone, without engine or store: tick, decide, seal, fold, as the engine does. */
import {
  type ChainHead,
  type Consulted,
  type Decider,
  type Decision,
  type Draft,
  type Entry,
  GENESIS,
  headOf,
  type StreamRef,
  seal,
} from '@handover/core';
import { createClock, type TestClock } from './clock.js';
import { codec } from './codec.js';

const SALT = new Uint8Array(16);

/** What a run needs of a decider. */
type Rules<State, Command> = Pick<Decider<State, Command>, 'decide' | 'evolve' | 'due' | 'tick'>;

export interface DeciderRunOptions {
  /** Several streams can share one. */
  readonly clock?: TestClock;
  /** What the deciders see of other streams. */
  readonly consulted?: () => Consulted;
}

export class DeciderRun<State, Command> {
  readonly entries: Entry[] = [];
  readonly clock: TestClock;
  state: State | undefined;
  readonly #decider: Rules<State, Command>;
  readonly #ref: StreamRef;
  readonly #consulted: () => Consulted;

  constructor(decider: Rules<State, Command>, ref: StreamRef, options: DeciderRunOptions = {}) {
    const { clock = createClock(), consulted = () => ({}) } = options;
    this.#decider = decider;
    this.#ref = ref;
    this.clock = clock;
    this.#consulted = consulted;
  }

  get head(): ChainHead {
    const last = this.entries.at(-1);
    return last ? headOf(last) : GENESIS;
  }

  /** Goes on after entries that were made elsewhere. */
  adopt(entries: readonly Entry[]): void {
    for (const entry of entries) this.state = this.#decider.evolve(this.state, entry);
    this.entries.push(...entries);
  }

  /** Records what is due by now. */
  tick(): void {
    for (;;) {
      const due = this.state && this.#decider.due(this.state);
      if (!this.state || due === undefined || due > this.clock.now) return;
      this.#append(this.#decider.tick(this.state, this.#context()));
    }
  }

  decide(agent: string, command: Command, messageId?: string): Decision {
    this.tick();
    const seen = messageId === undefined ? undefined : this.#find(messageId);
    const stamp = {
      at: Math.max(this.clock.now, this.head.at),
      seq: this.head.seq + 1,
      agent,
      ...(messageId !== undefined && { messageId }),
      ...(seen && { seen }),
    };
    const decision = this.#decider.decide(this.state, command, stamp, this.#context());
    if (decision.kind === 'accepted') for (const draft of decision.drafts) this.#append(draft);
    return decision;
  }

  #context() {
    return { codec, consulted: this.#consulted() };
  }

  #find(messageId: string): Entry | undefined {
    return this.entries.find((entry) => entry.messageId === messageId);
  }

  #append(draft: Draft): void {
    const entry = seal(codec, this.#ref, this.head, draft, this.clock.now, SALT);
    this.state = this.#decider.evolve(this.state, entry);
    this.entries.push(entry);
  }
}

/**
 * One follower of the log for all watches of all callers: what an entry costs does not grow with the number of watches.
 *
 * W1. The log is followed while somebody watches. Desks read every entry, in order, one after the other.
 * W2. `at` is the place of the last entry that was passed on. Who opens a mailbox at a desk and reads `at` in the same
 *     turn gets every entry after that place, and none up to it.
 * W3. When the log cannot be followed, all watches end with the fault, and the next one begins again.
 */
import { type EntryHead, HandoverError } from '@handover/core';
import type { Cursor, Engine, FeedFollower } from '@handover/engine';

/** Puts into mailboxes what an entry says to their owners. */
export type Post = () => void;

export interface Desk {
  /** Undefined: the entry concerns nobody here. */
  read(entry: EntryHead): Promise<Post | undefined> | Post | undefined;
  /** Closes all its mailboxes. */
  close(fault?: HandoverError): void;
}

interface Run {
  readonly follower: FeedFollower;
  at: Cursor;
}

export class LogWatch {
  readonly #engine: Engine;
  readonly #desks: readonly Desk[];
  #users = 0;
  #run: Promise<Run> | undefined;

  constructor(engine: Engine, desks: readonly Desk[]) {
    this.#engine = engine;
    this.#desks = desks;
  }

  /** Follows the log until `leave` is called, once. */
  async enter(): Promise<{ at(): Cursor; leave(): void }> {
    this.#users++;
    try {
      this.#run ??= this.#start();
      const run = await this.#run;
      return { at: () => run.at, leave: () => this.#leave() };
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }

  #leave(): void {
    if (--this.#users > 0) return;
    this.#run?.then(({ follower }) => follower.close()).catch(() => {});
    this.#run = undefined;
  }

  #start(): Promise<Run> {
    const starting = this.#engine.position().then((at) => ({ follower: this.#engine.follow(at), at }));
    const isCurrent = () => this.#run === starting;
    const ended = (fault?: HandoverError) => {
      if (!isCurrent()) return;
      this.#run = undefined;
      for (const desk of this.#desks) desk.close(fault);
    };
    starting
      .then((run) => this.#follow(run, isCurrent))
      .then(
        () => ended(),
        (thrown: unknown) => ended(HandoverError.from(thrown)),
      );
    return starting;
  }

  /** Until the follower is closed: by the last who leaves, or by the engine. */
  async #follow(run: Run, isCurrent: () => boolean): Promise<void> {
    try {
      for (let items = await run.follower.next(); items; items = await run.follower.next())
        for (const { at, entry } of items) {
          const posts = await this.#read(entry);
          if (!isCurrent()) return;
          for (const post of posts) post();
          run.at = at;
        }
    } finally {
      run.follower.close();
    }
  }

  async #read(entry: EntryHead): Promise<readonly Post[]> {
    const posts: Post[] = [];
    for (const desk of this.#desks) {
      const post = await desk.read(entry);
      if (post) posts.push(post);
    }
    return posts;
  }
}

/**
 * The connections of everything that is no commit: bounded in number, in how many wait for one, and in how long.
 *
 * The writer's connection is nobody else's, so reads never hold up a commit.
 */
import { FaultCode, HandoverError } from '@handover/core';
import { CannotConnect, type Connection } from './connection.js';
import { Lost, messageOf, refusalSentence, unknownOutcome, unreachable } from './errors.js';
import type { Done, Step } from './stage.js';

const WAIT_MS = 5_000;
const MOST_WAITING = 2_000;

interface Waiting {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (thrown: unknown) => void;
}

export class Pool {
  readonly #connect: () => Promise<Connection>;
  readonly #most: number;
  readonly #idle: Connection[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #all = new Set<Connection>();
  #opening = 0;
  #isClosed = false;

  constructor(connect: () => Promise<Connection>, most: number) {
    this.#connect = connect;
    this.#most = most;
  }

  /** Only reads: after a lost connection they are asked once more. */
  async read(steps: readonly Step[]): Promise<readonly Done[]> {
    try {
      return await this.#use((connection) => connection.run(steps));
    } catch (thrown) {
      if (!(thrown instanceof Lost)) throw this.#faultOf(thrown);
    }
    try {
      return await this.#use((connection) => connection.run(steps));
    } catch (thrown) {
      throw this.#faultOf(thrown);
    }
  }

  /** Changes something beside the log, in transactions of the caller's. */
  async change<T>(what: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#use(work);
    } catch (thrown) {
      throw thrown instanceof Lost ? unknownOutcome(what) : this.#faultOf(thrown);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(unreachable('the store is closed'));
    await Promise.all([...this.#all].map((connection) => connection.end()));
  }

  async #use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#take();
    try {
      return await work(connection);
    } finally {
      this.#give(connection);
    }
  }

  #take(): Promise<Connection> {
    const idle = this.#idle.pop();
    if (idle && !idle.isLost) return Promise.resolve(idle);
    if (idle) return this.#take();
    if (this.#all.size + this.#opening < this.#most) return this.#open();
    if (this.#waiting.length >= MOST_WAITING)
      throw unreachable('too many reads wait for the database; try again');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(unreachable('the database did not answer in time; try again'));
      }, WAIT_MS);
      const waiting: Waiting = {
        resolve: (connection) => {
          clearTimeout(timer);
          resolve(connection);
        },
        reject: (thrown) => {
          clearTimeout(timer);
          reject(thrown);
        },
      };
      this.#waiting.push(waiting);
    });
  }

  async #open(): Promise<Connection> {
    this.#opening++;
    try {
      const connection = await this.#connect();
      if (this.#isClosed) {
        await connection.end();
        throw unreachable('the store is closed');
      }
      this.#all.add(connection);
      connection.onLost = () => {
        this.#all.delete(connection);
        this.#serveNext();
      };
      return connection;
    } catch (thrown) {
      // Whoever waits tries for itself, and learns the same.
      setImmediate(() => this.#serveNext());
      throw thrown;
    } finally {
      this.#opening--;
    }
  }

  #give(connection: Connection): void {
    if (connection.isLost) return;
    const next = this.#waiting.shift();
    if (next) next.resolve(connection);
    else this.#idle.push(connection);
  }

  /** A place is free again: whoever waits gets a new connection. */
  #serveNext(): void {
    const next = this.#isClosed ? undefined : this.#waiting.shift();
    if (next) this.#open().then(next.resolve, next.reject);
  }

  #faultOf(thrown: unknown): HandoverError {
    if (thrown instanceof HandoverError) return thrown;
    if (thrown instanceof CannotConnect) return unreachable(thrown.sentence);
    if (thrown instanceof Lost) return unreachable(`the database was lost: ${messageOf(thrown)}`);
    return new HandoverError(FaultCode.OVERLOADED, refusalSentence(thrown), {
      next: 'retryable',
      cause: thrown,
    });
  }
}

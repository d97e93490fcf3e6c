/**
 * Several statements in one flush: Bind and Execute for each, one Sync for all. The server stops at the first error and
 * skips the rest, so COMMIT may stand behind the statement that it depends on. The driver's own queries send a Sync, and
 * wait for an answer, with each statement.
 */
import type { Submittable } from 'pg';

export type Value = Buffer | string | number | null;

export interface Step {
  /** The name under which the server keeps the statement; always the same for the same text. */
  readonly name: string;
  readonly text: string;
  readonly values?: readonly Value[];
}

export type Row = readonly (string | null)[];

export interface Done {
  readonly rows: readonly Row[];
  /** Such as COMMIT, or ROLLBACK where a COMMIT found its transaction failed. */
  readonly tag: string;
}

/** Which statements the server keeps for a connection. */
export interface Prepared {
  readonly kept: Set<string>;
  /** Sent with a flush that failed: nobody knows how far the server came. */
  readonly uncertain: Set<string>;
}

/** What this file uses of the connection of `pg`. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly (Buffer | string | null)[] }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

export class Stage implements Submittable {
  readonly #steps: readonly Step[];
  readonly #prepared: Prepared;
  readonly #done: { rows: Row[]; tag: string }[] = [];
  readonly #parsed: string[] = [];
  #rows: Row[] = [];
  readonly done: Promise<readonly Done[]>;
  #resolve: (done: readonly Done[]) => void = () => {};
  #reject: (thrown: unknown) => void = () => {};
  /** `pg` asks whether there is one. */
  readonly callback = (): void => {};

  constructor(steps: readonly Step[], prepared: Prepared) {
    this.#steps = steps;
    this.#prepared = prepared;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    const { kept, uncertain } = this.#prepared;
    wire.stream.cork();
    try {
      for (const { name, text, values = [] } of this.#steps) {
        if (uncertain.delete(name)) wire.close({ type: 'S', name });
        if (!kept.has(name)) {
          wire.parse({ name, text });
          kept.add(name);
          this.#parsed.push(name);
        }
        wire.bind({
          statement: name,
          values: values.map((value) => (typeof value === 'number' ? String(value) : value)),
        });
        wire.execute({});
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleDataRow(message: { readonly fields: Row }): void {
    this.#rows.push(message.fields);
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.#done.push({ rows: this.#rows, tag: message.text });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#done);
  }

  handleError(error: unknown): void {
    for (const name of this.#parsed) {
      this.#prepared.kept.delete(name);
      this.#prepared.uncertain.add(name);
    }
    this.#reject(error);
  }

  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

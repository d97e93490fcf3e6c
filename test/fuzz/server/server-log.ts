/** What a server wrote to stderr: the last lines, for when it dies, and the errors among them. */
import type { HandoverProcess } from '../../kit/handover-process.js';

const LAST_LINES = 20;
const MAX_LINE = 2_000;

export class ServerLog {
  readonly #lines: string[] = [];
  #errors: string[] = [];

  listen(to: HandoverProcess): void {
    to.child.stderr?.on('data', (chunk: Buffer) => {
      // It would grow for as long as the process lives.
      to.stderr = '';
      for (const line of String(chunk).split('\n')) this.#heard(line);
    });
  }

  get lastLines(): string {
    return this.#lines.join('\n');
  }

  /** The errors since the last time. */
  takeErrors(): readonly string[] {
    const errors = this.#errors;
    this.#errors = [];
    return errors;
  }

  #heard(line: string): void {
    if (line === '') return;
    this.#lines.push(line);
    if (line.includes('"level":"error"')) this.#errors.push(line.slice(0, MAX_LINE));
    if (this.#lines.length > LAST_LINES) this.#lines.shift();
  }
}

/**
 * stdin and stdout of an assistant on one side, the server of the data folder on the other. When the server dies, the
 * pipe joins or starts another and goes on (conversation.ts); the assistant notices a pause.
 *
 * L1. Whole lines only, so that nothing is said by half when a side ends.
 * L2. A side that does not read makes the other wait: nothing is gathered here.
 * L3. A request during which the server has died three times without any answer is given up, and not said a fourth time:
 *     it may be what kills it.
 * L4. A line of the client that does not end is held up to the bound of what is kept, and then the pipe ends.
 */
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Conversation, MAX_KEPT_BYTES } from './conversation.js';
import { LineSplitter } from './line-splitter.js';

/** A connection to a server, after the first lines of both sides. */
export type Connection = Readable & Writable;

export interface PipeOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Joins a server, or starts one. Rejects when there is none within its time. */
  readonly join: () => Promise<Connection>;
  /** For the user, on stderr. */
  readonly note: (text: string) => void;
}

/** How it came to its end. */
export type PipeEnd = 'client-left' | 'no-server' | 'another-revision' | 'too-much';

const MOST_DEATHS = 3;
const DIED = 'the server ended three times while it worked on this; it was not asked again';
const GONE = 'the server has ended and no other could be started';

export class LastingPipe {
  readonly #options: PipeOptions;
  readonly #said = new Conversation();
  /** Lines of the client that no server has yet. */
  readonly #waiting: string[] = [];
  #deaths = 0;
  #clientLeft = false;
  #end: PipeEnd | undefined;
  #server: Connection | undefined;

  constructor(options: PipeOptions) {
    this.#options = options;
  }

  async run(): Promise<PipeEnd> {
    this.#readClient();
    let again = false;
    while (this.#end === undefined) {
      const server = await this.#join();
      if (!server) break;
      if (this.#end === undefined) await this.#serve(server, again);
      else server.destroy();
      again = true;
      if (this.#end !== undefined) break;
      if (this.#clientLeft) this.#end = 'client-left';
      else if (!this.#said.canGoOn) this.#end = 'too-much';
      else this.#afterDeath();
    }
    const { input } = this.#options;
    input.destroy();
    return this.#end ?? 'no-server';
  }

  async #join(): Promise<Connection | undefined> {
    try {
      return await this.#options.join();
    } catch (thrown) {
      const unanswered = this.#said.giveUp(GONE);
      for (const line of unanswered) this.#options.output.write(`${line}\n`);
      throw thrown;
    }
  }

  #afterDeath(): void {
    this.#deaths += 1;
    this.#options.note('the server has ended; joining another\n');
    if (this.#deaths < MOST_DEATHS) return;
    this.#deaths = 0;
    for (const line of this.#said.giveUp(DIED)) this.#options.output.write(`${line}\n`);
  }

  /** Until the server, or what it says, ends this connection. */
  async #serve(server: Connection, again: boolean): Promise<void> {
    const lines = new LineSplitter();
    const { input, output } = this.#options;
    server.on('data', (piece: Buffer) => {
      for (const line of lines.take(piece)) this.#fromServer(line);
      if (output.writableNeedDrain) this.#pauseUntil(output, server);
    });
    this.#server = server;
    if (again) for (const line of this.#said.again()) server.write(`${line}\n`);
    for (const line of this.#waiting.splice(0)) this.#toServer(line);
    if (this.#clientLeft) server.end();
    server.resume();
    input.resume();
    await finished(server).catch(() => undefined);
    this.#server = undefined;
    input.pause();
  }

  #fromServer(line: string): void {
    const passage = this.#said.fromServer(line);
    if (passage === 'another-revision') this.#stop('another-revision');
    if (passage !== 'pass') return;
    this.#deaths = 0;
    this.#options.output.write(`${line}\n`);
  }

  #readClient(): void {
    const { input, output } = this.#options;
    const lines = new LineSplitter();
    input.on('data', (piece: Buffer) => {
      for (const line of lines.take(piece)) this.#toServer(line);
      if (lines.heldBytes > MAX_KEPT_BYTES) this.#stop('too-much');
      if (this.#server?.writableNeedDrain) this.#pauseUntil(this.#server, input);
    });
    const left = () => {
      if (this.#clientLeft) return;
      this.#clientLeft = true;
      const rest = lines.rest();
      if (rest !== '') this.#toServer(rest);
      this.#server?.end();
    };
    input.once('end', left).once('error', left);
    // Nobody reads what the server says: the assistant has gone.
    output.once('error', () => {
      this.#clientLeft = true;
      this.#server?.destroy();
    });
  }

  #stop(end: PipeEnd): void {
    this.#end = end;
    this.#options.input.destroy();
    this.#server?.destroy();
  }

  #toServer(line: string): void {
    if (!this.#server || this.#server.destroyed) {
      this.#waiting.push(line);
      return;
    }
    this.#said.fromClient(line);
    this.#server.write(`${line}\n`);
  }

  #pauseUntil(reader: Writable, writer: Readable): void {
    writer.pause();
    const go = () => {
      reader.off('drain', go).off('close', go);
      // Without a server nothing is read of the client.
      if (writer !== this.#options.input || this.#server) writer.resume();
    };
    reader.on('drain', go).on('close', go);
  }
}

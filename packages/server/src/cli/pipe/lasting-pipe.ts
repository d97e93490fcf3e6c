/**
 * stdin and stdout of an assistant on one side, a server on the other (channel.ts). When the server dies, the pipe joins
 * or starts another and goes on (conversation.ts); the assistant notices a pause.
 *
 * L1. Whole lines only, so that nothing is said by half when a side ends.
 * L2. A side that does not read makes the other wait: nothing is gathered here.
 * L3. A request during which the server has died three times without any answer is given up, and not said a fourth time:
 *     it may be what kills it.
 * L4. Without a server every open request is answered with an error. Where a server may come back (`Away`), the pipe
 *     stays, and joins again when the client says its next line. Where none may, the answer says why, as stderr does, and
 *     the pipe ends: a client that has said nothing yet has a moment to ask.
 * L5. A line of the client that does not end is held up to the bound of what is kept, and then the pipe ends.
 */
import type { Readable, Writable } from 'node:stream';
import { CommandFailure } from '../conventions/failure.js';
import { Away, type Channel } from './channel.js';
import { Conversation, MAX_KEPT_BYTES } from './conversation.js';
import { LineSplitter } from './line-splitter.js';

export interface PipeOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Joins a server, or starts one. Rejects when there is none within its time. */
  readonly join: () => Promise<Channel>;
  /** For the user, on stderr. */
  readonly note: (text: string) => void;
  /** Said to the user when the server has gone. */
  readonly lost?: string;
}

/** How it came to its end. */
export type PipeEnd = 'client-left' | 'no-server' | 'another-revision' | 'too-much';

const MOST_DEATHS = 3;
/** Clients open the conversation as soon as they have started the command. */
const ASK_MS = 1_000;
const DIED = 'the server ended three times while it worked on this; it was not asked again';
const GONE = 'the server has ended and no other could be started';
const LOST = 'the server has ended; joining another';

export class LastingPipe {
  readonly #options: PipeOptions;
  readonly #said = new Conversation();
  /** Lines of the client that no server has yet. */
  readonly #waiting: string[] = [];
  #deaths = 0;
  #clientLeft = false;
  #end: PipeEnd | undefined;
  #server: Channel | undefined;
  /** The server that waits until the client has read. */
  #paused: Channel | undefined;
  /** Called when the client says something, or leaves, while nobody serves it. */
  #wake: (() => void) | undefined;

  constructor(options: PipeOptions) {
    this.#options = options;
  }

  async run(): Promise<PipeEnd> {
    this.#readClient();
    try {
      return await this.#run();
    } finally {
      this.#options.input.destroy();
    }
  }

  async #run(): Promise<PipeEnd> {
    let again = false;
    while (this.#end === undefined) {
      const server = await this.#join(again);
      if (this.#end !== undefined) server?.close();
      else if (server) await this.#serve(server, again);
      else await this.#lineOfClient();
      again = true;
      if (this.#end !== undefined) break;
      if (this.#clientLeft) this.#end = 'client-left';
      else if (!this.#said.canGoOn) this.#end = 'too-much';
      else if (server) this.#afterDeath();
    }
    return this.#end ?? 'no-server';
  }

  /** Undefined: there is none now, and the client knows it. */
  async #join(again: boolean): Promise<Channel | undefined> {
    try {
      return await this.#options.join();
    } catch (thrown) {
      const away = thrown instanceof Away;
      if (!away && !again) await this.#lineOfClient(ASK_MS);
      for (const line of this.#waiting.splice(0)) this.#said.fromClient(line);
      this.#giveUp(away || thrown instanceof CommandFailure ? thrown.message : GONE);
      if (!away) throw thrown;
      this.#options.note(`${thrown.message}\n`);
      return undefined;
    }
  }

  #giveUp(why: string): void {
    for (const line of this.#said.giveUp(why)) this.#options.output.write(`${line}\n`);
  }

  #afterDeath(): void {
    this.#deaths += 1;
    this.#options.note(`${this.#options.lost ?? LOST}\n`);
    if (this.#deaths < MOST_DEATHS) return;
    this.#deaths = 0;
    this.#giveUp(DIED);
  }

  /** Until the server, or what it says, ends this connection. */
  async #serve(server: Channel, again: boolean): Promise<void> {
    const { input, output } = this.#options;
    this.#server = server;
    server.listen({
      line: (line) => {
        this.#fromServer(line);
        if (output.writableNeedDrain) this.#pauseUntilRead(server);
      },
      // Without a server nothing is read of the client.
      room: () => void (this.#server === server && input.resume()),
    });
    if (again) for (const line of this.#said.again()) server.send(line);
    for (const line of this.#waiting.splice(0)) this.#toServer(line);
    if (this.#clientLeft) server.finish();
    if (!server.full) input.resume();
    await server.ended;
    this.#server = undefined;
    input.pause();
  }

  #fromServer(line: string): void {
    const passage = this.#said.fromServer(line);
    if (passage === 'another-revision') this.#stop('another-revision');
    if (passage === 'pass') {
      this.#deaths = 0;
      this.#options.output.write(`${line}\n`);
    }
    for (const missed of this.#said.missed()) this.#options.output.write(`${missed}\n`);
  }

  #readClient(): void {
    const { input, output } = this.#options;
    const lines = new LineSplitter();
    input.on('data', (piece: Buffer) => {
      for (const line of lines.take(piece)) this.#toServer(line);
      if (lines.heldBytes > MAX_KEPT_BYTES) this.#stop('too-much');
      if (this.#server?.full) input.pause();
    });
    const left = () => {
      if (this.#clientLeft) return;
      this.#clientLeft = true;
      const rest = lines.rest();
      if (rest !== '') this.#toServer(rest);
      this.#server?.finish();
      this.#wake?.();
    };
    input.once('end', left).once('error', left);
    // Nobody reads what the server says: the assistant has gone.
    output.once('error', () => {
      this.#clientLeft = true;
      this.#server?.close();
      this.#wake?.();
    });
  }

  #stop(end: PipeEnd): void {
    this.#end = end;
    this.#options.input.destroy();
    this.#server?.close();
    this.#wake?.();
  }

  #toServer(line: string): void {
    if (!this.#server || this.#server.closed) {
      this.#waiting.push(line);
      this.#wake?.();
      return;
    }
    this.#said.fromClient(line);
    this.#server.send(line);
  }

  async #lineOfClient(mostMs?: number): Promise<void> {
    const { input } = this.#options;
    if (this.#clientLeft || this.#waiting.length > 0) return;
    input.resume();
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (mostMs !== undefined) late = setTimeout(resolve, mostMs);
    });
    clearTimeout(late);
    this.#wake = undefined;
    input.pause();
  }

  #pauseUntilRead(server: Channel): void {
    if (this.#paused === server) return;
    this.#paused = server;
    const { output } = this.#options;
    server.pause();
    const go = () => {
      output.off('drain', go).off('close', go);
      this.#paused = undefined;
      server.resume();
    };
    output.on('drain', go).on('close', go);
  }
}

/** The server of a data folder, through its socket, after the first lines of both sides. */
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Channel, ChannelListener } from './channel.js';
import { LineSplitter } from './line-splitter.js';

export class SocketChannel implements Channel {
  readonly ended: Promise<void>;
  readonly #socket: Readable & Writable;

  constructor(socket: Readable & Writable) {
    this.#socket = socket;
    this.ended = finished(socket).catch(() => undefined);
  }

  listen({ line, room }: ChannelListener): void {
    const lines = new LineSplitter();
    this.#socket.on('data', (piece: Buffer) => {
      for (const one of lines.take(piece)) line(one);
    });
    this.#socket.on('drain', room);
    this.#socket.resume();
  }

  send(line: string): void {
    this.#socket.write(`${line}\n`);
  }

  get full(): boolean {
    return this.#socket.writableNeedDrain;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  finish(): void {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }

  get closed(): boolean {
    return this.#socket.destroyed;
  }
}

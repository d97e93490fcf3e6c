/**
 * What arrives on a connection, given to Node's parser in small pieces: the parser begins every request that it finds,
 * and a chunk of 64 KiB may hold thousands.
 *
 * P1. Between two pieces it is asked whether the parser must wait. What is left of the chunk waits then, unparsed, and
 *     the connection is not read.
 * P2. Pieces grow while they bring no request to wait, so that a large body takes few of them.
 * P3. Node pauses a connection itself, when answers or a body wait for too long. Its parser takes nothing then, and fails
 *     the whole process if it is given something: the rest waits until Node reads on.
 */
import type { Socket } from 'node:net';

const FIRST_BYTES = 1_024;
const MOST_BYTES = 8_192;

const unwanted = new WeakSet<Socket>();

/** Nothing more of this connection is parsed. Whoever calls this closes it. */
export function parseNoMore(socket: Socket): void {
  unwanted.add(socket);
  socket.pause();
}

export class Pieces {
  readonly #socket: Socket;
  readonly #mustWait: () => boolean;
  readonly #parsers: readonly ((piece: Buffer) => void)[];
  #left: Buffer | undefined;
  /** Node has paused the connection, and not we. */
  #pausedByNode = false;

  constructor(socket: Socket, mustWait: () => boolean) {
    this.#socket = socket;
    this.#mustWait = () => unwanted.has(socket) || mustWait();
    this.#parsers = socket.listeners('data') as ((piece: Buffer) => void)[];
    socket.removeAllListeners('data');
    // With a listener that is not Node's own, all data comes this way.
    socket.on('data', (chunk: Buffer) => this.#parse(chunk));
    // Node reads on whenever it is done with a request.
    socket.on('resume', () => this.#readOn());
  }

  /** The parser need not wait any more. */
  goOn(): void {
    if (this.#pausedByNode || this.#mustWait()) return;
    this.#socket.resume();
    this.#parseLeft();
  }

  /** It was resumed, and perhaps paused again since. */
  #readOn(): void {
    if (this.#socket.isPaused()) return;
    this.#pausedByNode = false;
    if (this.#mustWait()) this.#socket.pause();
    else this.#parseLeft();
  }

  #parseLeft(): void {
    const left = this.#left;
    this.#left = undefined;
    if (left) this.#parse(left);
  }

  #parse(chunk: Buffer): void {
    let bytes = FIRST_BYTES;
    for (let at = 0; at < chunk.length && !this.#socket.destroyed; bytes = Math.min(2 * bytes, MOST_BYTES)) {
      this.#pausedByNode = this.#socket.isPaused();
      if (this.#pausedByNode || this.#mustWait()) {
        this.#left = chunk.subarray(at);
        break;
      }
      const piece = chunk.subarray(at, at + bytes);
      at += piece.length;
      for (const parse of this.#parsers) parse.call(this.#socket, piece);
    }
    if (this.#socket.isPaused()) this.#pausedByNode = true;
    else if (this.#mustWait()) this.#socket.pause();
  }
}

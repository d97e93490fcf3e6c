/**
 * The requests of a connection, one after the other. Node parses all that have arrived and would begin them together.
 *
 * T1. The next one begins when the system has taken the answer to the one before, and other connections had their turn.
 * T2. While requests wait, nothing more is read from their connection. If too many wait, it is cut.
 * T3. A client that takes nothing of its answer for too long is cut off.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface TurnLimits {
  /** Requests that wait on one connection. */
  readonly waiting: number;
  /** How long a client may take nothing of what waits for it. */
  readonly unreadMs: number;
}

export type CutReason = 'too many requests at once' | 'the answer was not read';

export interface TurnOptions {
  readonly limits: TurnLimits;
  readonly begin: RequestListener;
  onCut(reason: CutReason): void;
}

export function inTurn(options: TurnOptions): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? new Line(socket, options);
    lines.set(socket, line);
    line.add({ request, response });
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

class Line {
  readonly #socket: Socket;
  readonly #options: TurnOptions;
  readonly #waiting: Exchange[] = [];
  #underWay = false;

  constructor(socket: Socket, options: TurnOptions) {
    this.#socket = socket;
    this.#options = options;
    // Node goes on reading whenever it is done with a request.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause();
    });
  }

  add(exchange: Exchange): void {
    if (this.#socket.destroyed) return;
    if (!this.#underWay) this.#begin(exchange);
    else if (this.#waiting.length < this.#options.limits.waiting) {
      this.#waiting.push(exchange);
      this.#socket.pause();
    } else this.#cut('too many requests at once');
  }

  #begin({ request, response }: Exchange): void {
    this.#underWay = true;
    response.once('close', () => setImmediate(() => this.#next()));
    this.#watch(response);
    this.#options.begin(request, response);
  }

  #next(): void {
    this.#underWay = false;
    // After an answer with `Connection: close` nothing more can be written.
    if (!this.#socket.writable) this.#waiting.length = 0;
    const next = this.#waiting.shift();
    if (!next) return;
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#begin(next);
  }

  /** Node calls back when nothing came and nothing was taken. An open event stream has a watch of its own, which goes first. */
  #watch(response: ServerResponse): void {
    const { unreadMs } = this.#options.limits;
    let quiet = 0;
    response.setTimeout(unreadMs, () => {
      quiet = response.writableLength > 0 ? quiet + 1 : 0;
      if (quiet > (isOpenStream(response) ? 1 : 0)) this.#cut('the answer was not read');
      else response.setTimeout(unreadMs);
    });
  }

  #cut(reason: CutReason): void {
    this.#waiting.length = 0;
    this.#socket.destroy();
    this.#options.onCut(reason);
  }
}

function isOpenStream(response: ServerResponse): boolean {
  const type = String(response.getHeader('content-type') ?? '');
  return !response.writableEnded && type.startsWith('text/event-stream');
}

/**
 * The requests of a connection, one after the other. Node parses all that have arrived and would begin them together.
 *
 * T1. The next one begins when the system has taken the answer to the one before. In one turn of the event loop one
 *     request begins, of whatever connection.
 * T2. While a request waits, for its turn or for its slice, nothing more of its connection is parsed or read. If too many
 *     wait, it is cut.
 * T3. A client that takes nothing of its answer for too long is cut off.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Slices } from '../../platform/slices.js';
import { Pieces } from './pieces.js';

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

export class ConnectionTurns {
  readonly #options: TurnOptions;
  readonly #lines = new WeakMap<Socket, Line>();
  /** Of all connections together. */
  readonly #slices = new Slices(1);

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** For a connection that Node has begun to listen to. */
  readonly connected = (socket: Socket): void => {
    this.#lines.set(socket, new Line(socket, this.#options, this.#slices));
  };

  readonly requested: RequestListener = (request, response) => {
    this.#lines.get(request.socket)?.add({ request, response, begin: this.#options.begin });
  };

  /** It expects something else than 100-continue. Node would answer at once, past the turns. */
  readonly expected: RequestListener = (request, response) => {
    this.#lines.get(request.socket)?.add({ request, response, begin: refuseExpectation });
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: RequestListener;
}

const refuseExpectation: RequestListener = (_request, response) => {
  response.writeHead(417, { 'content-length': 0, connection: 'close' }).end();
};

class Line {
  readonly #socket: Socket;
  readonly #options: TurnOptions;
  readonly #slices: Slices;
  readonly #pieces: Pieces;
  readonly #waiting: Exchange[] = [];
  #underWay = false;
  /** A request waits for its slice, or has just begun, so nobody reads its body yet. */
  #beginning = false;

  constructor(socket: Socket, options: TurnOptions, slices: Slices) {
    this.#socket = socket;
    this.#options = options;
    this.#slices = slices;
    this.#pieces = new Pieces(socket, () => this.#beginning || this.#waiting.length > 0);
  }

  add(exchange: Exchange): void {
    if (this.#socket.destroyed) return;
    if (!this.#underWay) this.#begin(exchange);
    else if (this.#waiting.length < this.#options.limits.waiting) this.#waiting.push(exchange);
    else this.#cut('too many requests at once');
  }

  #begin({ request, response, begin }: Exchange): void {
    this.#underWay = true;
    this.#beginning = true;
    response.once('close', () => setImmediate(() => this.#next()));
    this.#slices.begin(nobody, 1, () => {
      if (this.#socket.destroyed) return;
      this.#watch(response);
      begin(request, response);
      // A chunk may hold thousands of pieces of a body; whoever reads them must be there first.
      if (isInPieces(request)) setImmediate(() => this.#begun());
      else this.#begun();
    });
  }

  #begun(): void {
    this.#beginning = false;
    this.#pieces.goOn();
  }

  #next(): void {
    this.#underWay = false;
    // After an answer with `Connection: close` nothing more can be written.
    if (!this.#socket.writable) this.#waiting.length = 0;
    const next = this.#waiting.shift();
    if (next) this.#begin(next);
    else this.#pieces.goOn();
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

/** A connection has one request that may begin, so there is no order to keep between owners. */
const nobody = (): string => '';

const isInPieces = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined;

function isOpenStream(response: ServerResponse): boolean {
  const type = String(response.getHeader('content-type') ?? '');
  return !response.writableEnded && type.startsWith('text/event-stream');
}

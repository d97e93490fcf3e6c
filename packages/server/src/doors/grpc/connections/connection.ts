import { constants, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** One connection to the gRPC port, from the moment at which it is accepted. */
export class Connection {
  readonly address: string;
  readonly #socket: Socket;
  session: ServerHttp2Session | undefined;
  /** Its first settings have come: it speaks HTTP/2. */
  greeted = false;
  /** Whose credential the first call had that had a valid one. Undefined: it is a stranger. */
  caller: string | undefined;
  /** What it has cost its address as a stranger. */
  spent = 0;
  /** Calls that are open. */
  open = 0;
  /** The last tick at which it was new, or had an open call. */
  busyAt: number;
  /** The tick at which it came. */
  readonly since: number;
  /** Bytes that were read and judged. */
  #judged = 0;
  /** Bytes that became part of a message, since the last judgement. */
  #useful = 0;

  constructor(address: string, socket: Socket, tick: number) {
    this.address = address;
    this.#socket = socket;
    this.busyAt = tick;
    this.since = tick;
  }

  useful(bytes: number): void {
    this.#useful += bytes;
  }

  /** How many bytes came since the last time that became no part of a message. */
  takeUseless(): number {
    const read = this.#socket.bytesRead;
    const useless = read - this.#judged - this.#useful;
    this.#judged = read;
    this.#useful = 0;
    return useless;
  }

  /** Says goodbye, and lets calls end. */
  endIdle(): void {
    if (this.session && !this.session.destroyed) this.session.close();
    else this.#socket.destroy();
  }

  cut(): void {
    if (this.session && !this.session.destroyed)
      this.session.destroy(new Error('the connection was cut'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
    else this.#socket.destroy();
  }
}

/** HTTP/2 as bytes on a socket, for what no client library would send. */
import { connect, type Socket } from 'node:net';
import { frame, PREFACE } from '../../kit/http2-frames.js';

export const FrameType = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  SETTINGS: 4,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
} as const;
const END_HEADERS = 4;
const END_STREAM = 1;

/** Whole calls with an empty message; without a bearer they have no credential. */
export function calls(path: string, count: number, bearer?: string): Buffer {
  const headers = Buffer.concat([
    // POST and http, from the table that HTTP/2 has for everybody.
    Buffer.of(0x83, 0x86),
    field(':path', path),
    field(':authority', 'localhost'),
    field('content-type', 'application/grpc'),
    field('te', 'trailers'),
    ...(bearer === undefined ? [] : [field('authorization', `Bearer ${bearer}`)]),
  ]);
  const all = Array.from({ length: count }, (_, n) => {
    const stream = 2 * n + 1;
    return [
      frame(FrameType.HEADERS, END_HEADERS, stream, headers),
      frame(FrameType.DATA, END_STREAM, stream, Buffer.alloc(5)),
    ];
  });
  return Buffer.concat(all.flat());
}

function field(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.of(0, name.length),
    Buffer.from(name),
    Buffer.of(value.length),
    Buffer.from(value),
  ]);
}

export class RawSocket {
  readonly socket: Socket;
  /** The code of the goodbye. */
  goaway: number | undefined;
  closed = false;
  #held = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('data', (bytes) => this.#read(bytes));
  }

  /** Silent: says nothing, not even that it speaks HTTP/2. */
  static async open(port: number, silent = false): Promise<RawSocket> {
    const socket = connect(port, '127.0.0.1');
    const raw = new RawSocket(socket);
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve).once('close', () => resolve());
    });
    if (!silent) socket.write(Buffer.concat([PREFACE, frame(FrameType.SETTINGS, 0, 0)]));
    return raw;
  }

  #read(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes]);
    while (this.#held.length >= 9) {
      const end = 9 + this.#held.readUIntBE(0, 3);
      if (this.#held.length < end) return;
      if (this.#held[3] === FrameType.GOAWAY) this.goaway ??= this.#held.readUInt32BE(13);
      this.#held = this.#held.subarray(end);
    }
  }
}

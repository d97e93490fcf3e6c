/** Readers that never read: over HTTP/2 with a window of no bytes, over HTTP/1.1 with a socket that is never emptied. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { status } from '@grpc/grpc-js';
import { ATTACKER_ADDRESS } from './http.js';

export interface StuckReader {
  /** How it ended; undefined while it is open. */
  ended: string | undefined;
  close(): void;
}

/** One HTTP/2 connection to the gRPC port, which lets the server send nothing but headers. */
export class ClosedWindow {
  readonly #session: ClientHttp2Session;

  constructor(grpc: string) {
    this.#session = connect(`http://${grpc}`, {
      settings: { initialWindowSize: 0 },
      localAddress: ATTACKER_ADDRESS,
    } as Parameters<typeof connect>[1]);
    this.#session.on('error', () => undefined);
  }

  /** A call with one request message; without `half` the request stays open, as that of a bidirectional call. */
  open(path: string, token: string | undefined, request: Uint8Array, { half = true } = {}): StuckReader {
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    });
    const reader = watched(stream);
    stream.write(grpcFrame(request));
    if (half) stream.end();
    return reader;
  }

  close(): void {
    this.#session.destroy();
  }
}

function watched(stream: ClientHttp2Stream): StuckReader {
  const reader: StuckReader = { ended: undefined, close: () => stream.close() };
  const end = (how: string) => {
    reader.ended ??= how;
  };
  const statusIn = (headers: Readonly<Record<string, unknown>>) => {
    const code = headers['grpc-status'];
    if (code !== undefined) end(status[Number(code)] ?? String(code));
  };
  stream.on('response', statusIn);
  stream.on('trailers', statusIn);
  stream.on('error', () => undefined);
  stream.on('close', () => end(stream.rstCode === 0 ? 'closed' : `reset ${stream.rstCode}`));
  return reader;
}

function grpcFrame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A request over HTTP/1.1, of whose answer nothing is ever read. */
export function stuckRequest(
  http: string,
  line: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): StuckReader {
  const { hostname, port, host } = new URL(http);
  const socket: Socket = connectSocket({
    host: hostname,
    port: Number(port),
    localAddress: ATTACKER_ADDRESS,
  });
  const reader: StuckReader = { ended: undefined, close: () => socket.destroy() };
  socket.pause();
  socket.on('error', (error: NodeJS.ErrnoException) => {
    reader.ended ??= error.code ?? 'error';
  });
  socket.on('close', () => {
    reader.ended ??= 'closed';
  });
  const length =
    body === ''
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  return reader;
}

/** How readers ended, and how many of each. */
export function endings(readers: readonly StuckReader[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { ended = 'open' } of readers) counts[ended] = (counts[ended] ?? 0) + 1;
  return counts;
}

/** gRPC as frames of HTTP/2, for clients that no library would be: requests without an end, answers that are not taken. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';

export interface RawCall {
  readonly stream: ClientHttp2Stream;
  /** How it ended: the status, or the code of a reset. Undefined: it is open. */
  ended: { readonly status?: number; readonly reset?: number } | undefined;
  /** Headers of a refusal, or trailers. */
  readonly headers: Record<string, unknown>;
}

export class RawGrpc {
  readonly #session: ClientHttp2Session;
  readonly #bearer: string | undefined;

  private constructor(session: ClientHttp2Session, bearer: string | undefined) {
    this.#session = session;
    this.#bearer = bearer;
  }

  static async open(
    port: number,
    { bearer, window }: { readonly bearer?: string; readonly window?: number } = {},
  ): Promise<RawGrpc> {
    const session = connect(`http://127.0.0.1:${port}`, {
      // What this client has not sent yet must not end it.
      maxSessionMemory: 1_000,
      ...(window !== undefined && { settings: { initialWindowSize: window } }),
    });
    session.on('error', () => {});
    await new Promise((resolve) => session.once('remoteSettings', resolve));
    return new RawGrpc(session, bearer);
  }

  /** Never ends by itself. */
  call(path: string, ...pieces: readonly Uint8Array[]): RawCall {
    return this.callWith({}, path, ...pieces);
  }

  callWith(
    headers: Readonly<Record<string, string>>,
    path: string,
    ...pieces: readonly Uint8Array[]
  ): RawCall {
    const stream = this.#session.request(
      {
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...headers,
        ...(this.#bearer !== undefined && { authorization: `Bearer ${this.#bearer}` }),
      },
      { endStream: false },
    );
    const call: RawCall = { stream, ended: undefined, headers: {} };
    const note = (received: object) => Object.assign(call.headers, received);
    stream.on('response', note).on('trailers', note);
    stream.on('error', () => {});
    stream.on('data', () => {});
    stream.on('close', () => {
      const status = call.headers['grpc-status'];
      call.ended = status === undefined ? { reset: stream.rstCode ?? 0 } : { status: Number(status) };
    });
    for (const piece of pieces) stream.write(piece);
    return call;
  }

  /** A whole request. */
  ask(path: string, message: Uint8Array = new Uint8Array(0)): RawCall {
    const call = this.call(path, prefix(message.length), message);
    call.stream.end();
    return call;
  }

  close(): void {
    this.#session.destroy();
  }
}

/** What stands before a message of so many bytes. */
export function prefix(bytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes, 1);
  return head;
}

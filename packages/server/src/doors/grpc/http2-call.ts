/**
 * The HTTP/2 stream below a call. grpc-js can end a call only by a status, which waits behind everything that the client
 * has not read. To drop a call with what waits for it, its stream must be reset.
 *
 * grpc-js does not offer the stream, but its call object holds it. Where it does not, a call cannot be reset and stays
 * until its client reads or leaves; a test notices.
 */
import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2';

/** A connection answers only so many pings at a time. */
const ANOTHER_PING_MS = 250;

/** Interceptors lie around the call that holds the stream. */
interface Layer {
  readonly nextCall?: Layer;
  readonly stream?: ServerHttp2Stream;
}

export class Http2Call {
  readonly #stream: ServerHttp2Stream | undefined;
  /** Kept, because a stream that has closed no longer names it. */
  readonly #session: Http2Session | undefined;

  /** A call of grpc-js, which holds the call of its interceptors. */
  constructor(call: object) {
    this.#stream = streamBelow((call as { readonly call?: Layer }).call);
    this.#session = this.#stream?.session;
  }

  /** Drops the call and what waits for it. Clients see RESOURCE_EXHAUSTED. */
  reset(): void {
    if (!this.#stream || this.#stream.destroyed) return;
    this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.#stream.destroy();
  }

  get hasAnswered(): boolean {
    return this.#stream?.headersSent ?? false;
  }

  /** The client need not send the rest of its request: the status has been sent. */
  stopReading(): void {
    if (this.#stream && !this.#stream.destroyed) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  /**
   * Resolves when the connection has taken all that was handed to it: a ping that is sent now was answered. Without an
   * answer in time the connection is cut, which drops everything that waits on it.
   */
  async flushed(withinMs: number): Promise<void> {
    const session = this.#session;
    if (!session || session.destroyed) return;
    let again: NodeJS.Timeout | undefined;
    const late = setTimeout(() => session.destroy(), withinMs).unref();
    await new Promise<void>((resolve) => {
      const ping = () => {
        if (session.destroyed) return resolve();
        session.ping((refused) => {
          if (refused) again = setTimeout(ping, ANOTHER_PING_MS).unref();
          else resolve();
        });
      };
      session.once('close', resolve);
      ping();
    });
    clearTimeout(late);
    clearTimeout(again);
  }
}

function streamBelow(layer: Layer | undefined): ServerHttp2Stream | undefined {
  return layer?.stream ?? (layer?.nextCall && streamBelow(layer.nextCall));
}

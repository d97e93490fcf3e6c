/**
 * The body of a streamed answer, between the SDK and the client. The SDK writes whenever it has something to say, read or
 * not. This body shows whether the client reads, ends when the client is gone, and is cut when the client takes nothing for
 * too long (doors/http/event-streams.ts).
 */
import type { EventStream, EventStreams } from '../../http/event-streams.js';

export interface WatchedBodyOptions {
  readonly streams: EventStreams;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
  /** Cuts the connection. */
  disconnect(): void;
  /** The client has taken everything and waits for more. */
  onRoom?(): void;
  /** Once, however it ends. */
  onEnd(): void;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

export class WatchedBody implements EventStream {
  readonly #inner: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: WatchedBodyOptions;
  readonly #onGone = () => this.end(false);
  #controller: Controller | undefined;
  #waits = false;
  #ended = false;

  constructor(inner: ReadableStream<Uint8Array>, options: WatchedBodyOptions) {
    this.#inner = inner.getReader();
    this.#options = options;
  }

  /** The same answer with this body. */
  respond({ status, headers }: Response): Response {
    return new Response(new ReadableStream(this), { status, headers });
  }

  /** True once each time that the client has taken everything: it takes one message more. */
  takesOne(): boolean {
    const waits = this.#waits && !this.#ended;
    this.#waits = false;
    return waits;
  }

  start(controller: Controller): void {
    const { streams, gone } = this.#options;
    this.#controller = controller;
    streams.add(this);
    if (gone.aborted) this.end(false);
    else gone.addEventListener('abort', this.#onGone, { once: true });
  }

  async pull(controller: Controller): Promise<void> {
    const reading = this.#inner.read();
    this.#waits = true;
    this.#options.onRoom?.();
    const { done, value } = await reading;
    this.#waits = false;
    if (this.#ended) return;
    if (done) this.end(false);
    else controller.enqueue(value);
  }

  cancel(): void {
    this.#leave();
  }

  get stalled(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0;
  }

  /** The SDK sends comments of its own. */
  beat(): void {}

  end(abrupt: boolean): void {
    if (this.#ended) return;
    this.#leave();
    this.#controller?.close();
    if (abrupt) this.#options.disconnect();
  }

  #leave(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.gone.removeEventListener('abort', this.#onGone);
    this.#options.streams.delete(this);
    this.#inner.cancel().catch(() => {});
    this.#options.onEnd();
  }
}

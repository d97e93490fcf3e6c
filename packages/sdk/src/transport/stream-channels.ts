/**
 * Channels for streams and watches. A connection carries only so many streams: beyond the runtime's limit HTTP/2 lets
 * further calls wait without a word. So a channel gets a number of streams that runtimes allow, and then there is another.
 */
import type { CallOptions, Client, Metadata } from '@grpc/grpc-js';
import { after, type Introduction, introduce } from './introduction.js';

/** Runtimes allow from 64 on. */
const STREAMS_PER_CHANNEL = 50;

interface Opens {
  open(): Client;
}

/** A call that says when it is over; grpc-js emits `close` once, however a call ends. */
interface StreamCall {
  once(event: 'close', listener: () => void): unknown;
  once(event: 'error', listener: () => void): unknown;
  once(event: 'end', listener: () => void): unknown;
}

interface Shared {
  readonly channel: Client;
  /** What its streams wait for; nothing on the first channel. */
  readonly introduction: Introduction | undefined;
  /** For every stream on it. */
  readonly options: CallOptions;
  streams: number;
}

export class StreamChannels {
  readonly #endpoint: Opens;
  readonly #channels = new Set<Shared>();

  constructor(endpoint: Opens) {
    this.#endpoint = endpoint;
  }

  /** Makes a stream on a channel that has room, until the stream is over. */
  take<S extends StreamCall>(metadata: Metadata, make: (channel: Client, options: CallOptions) => S): S {
    const shared = this.#withRoom(metadata);
    const stream = make(shared.channel, shared.options);
    shared.streams++;
    let over = false;
    const leave = () => {
      if (over) return;
      over = true;
      this.#leave(shared);
    };
    for (const event of ['close', 'error', 'end'] as const) stream.once(event as 'close', leave);
    return stream;
  }

  close(): void {
    for (const { channel, introduction } of this.#channels) {
      introduction?.cancel();
      channel.close();
    }
    this.#channels.clear();
  }

  #withRoom(metadata: Metadata): Shared {
    for (const shared of this.#channels) if (shared.streams < STREAMS_PER_CHANNEL) return shared;
    const channel = this.#endpoint.open();
    const introduction = this.#channels.size > 0 ? introduce(channel, metadata) : undefined;
    const options = introduction ? { interceptors: [after(introduction.over)] } : {};
    const shared = { channel, introduction, options, streams: 0 };
    this.#channels.add(shared);
    return shared;
  }

  /** The last channel stays: whoever watches again needs no new connection. */
  #leave(shared: Shared): void {
    shared.streams--;
    if (shared.streams > 0 || this.#channels.size < 2 || !this.#channels.delete(shared)) return;
    shared.channel.close();
  }
}

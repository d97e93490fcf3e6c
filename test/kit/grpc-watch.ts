/** The client's side of a server stream: frames as they come, and the status at the end. */
import {
  type ClientReadableStream,
  type Metadata,
  type ServiceError,
  type StatusObject,
  status,
} from '@grpc/grpc-js';

export class GrpcWatch<T> {
  /** Everything that came, decoded and as bytes. */
  readonly frames: T[] = [];
  readonly bytes: Buffer[] = [];
  readonly status: Promise<StatusObject>;
  readonly opened: Promise<Metadata>;
  /** How it ended; undefined while it has not. */
  ended: StatusObject | undefined;
  readonly #call: ClientReadableStream<Buffer>;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(call: ClientReadableStream<Buffer>, decode: (bytes: Buffer) => T) {
    this.#call = call;
    call.on('data', (bytes: Buffer) => {
      this.bytes.push(bytes);
      this.frames.push(decode(bytes));
      this.#wakeAll();
    });
    this.status = new Promise((resolve) => {
      call.on('status', (ended: StatusObject) => {
        this.ended = ended;
        resolve(ended);
        this.#wakeAll();
      });
    });
    this.opened = new Promise((resolve) => call.on('metadata', resolve));
    // The status says the same; without a listener the error would be thrown.
    call.on('error', (_: ServiceError) => {});
  }

  /** The name of the status with which the stream ended. */
  async statusName(): Promise<string> {
    return status[(await this.status).code];
  }

  /** The next frame that was not taken yet. */
  async next(): Promise<T> {
    await this.#arrived(this.#taken + 1);
    return this.frames[this.#taken++] as T;
  }

  async take(count: number): Promise<T[]> {
    const taken: T[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  /** Waits until so many frames have come. */
  async atLeast(count: number): Promise<readonly T[]> {
    await this.#arrived(count);
    return this.frames;
  }

  pause(): void {
    this.#call.pause();
  }

  resume(): void {
    this.#call.resume();
  }

  cancel(): void {
    this.#call.cancel();
  }

  async #arrived(count: number): Promise<void> {
    while (this.frames.length < count) {
      if (this.ended) throw new Error(`${this.frames.length} frames, then ${await this.statusName()}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
